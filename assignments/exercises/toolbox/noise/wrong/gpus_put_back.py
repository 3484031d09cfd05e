# finding: cpu-generator-changed
import torch


def noise(seed, count, devices):
    gpus = torch.cuda.get_rng_state_all()
    tensors = []
    for number, device in enumerate(devices):
        torch.manual_seed(seed + number)
        tensors.append(torch.randn(count, device=device))
    torch.cuda.set_rng_state_all(gpus)
    return tensors
