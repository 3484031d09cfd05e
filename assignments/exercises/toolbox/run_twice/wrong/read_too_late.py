# finding: cpu-not-restored
import torch


def run_twice(step):
    first = step()
    cpu, gpus = torch.get_rng_state(), torch.cuda.get_rng_state_all()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state_all(gpus)
    return first, step()
