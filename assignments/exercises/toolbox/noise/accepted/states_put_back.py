import torch


def noise(seed, count, devices):
    cpu, gpus = torch.get_rng_state(), torch.cuda.get_rng_state_all()
    try:
        result = []
        for i, device in enumerate(devices):
            torch.manual_seed(seed + i)
            result.append(torch.empty(count, device=device).normal_())
        return tuple(result)
    finally:
        torch.set_rng_state(cpu)
        torch.cuda.set_rng_state_all(gpus)
