# finding: called-too-often
import torch


def run_twice(step):
    step()
    cpu, gpus = torch.get_rng_state(), torch.cuda.get_rng_state_all()
    first = step()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state_all(gpus)
    return first, step()
