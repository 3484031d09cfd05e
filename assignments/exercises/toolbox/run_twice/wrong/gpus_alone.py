# finding: cpu-not-restored
import torch


def run_twice(step):
    gpus = torch.cuda.get_rng_state_all()
    first = step()
    torch.cuda.set_rng_state_all(gpus)
    return first, step()
