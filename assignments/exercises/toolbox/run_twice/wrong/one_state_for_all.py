# finding: gpu-not-restored
import torch


def run_twice(step):
    cpu, gpu = torch.get_rng_state(), torch.cuda.get_rng_state()
    first = step()
    torch.set_rng_state(cpu)
    for i in range(torch.cuda.device_count()):
        torch.cuda.set_rng_state(gpu, i)
    return first, step()
