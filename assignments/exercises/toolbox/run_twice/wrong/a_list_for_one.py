# finding: a-list-for-one
import torch
def run_twice(step):
    cpu, gpu = torch.get_rng_state(), torch.cuda.get_rng_state_all()
    first = step()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state(gpu)
    return first, step()
