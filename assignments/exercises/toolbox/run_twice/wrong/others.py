# %% a_list_for_one
# finding: a-list-for-one
import torch
def run_twice(step):
    cpu, gpu = torch.get_rng_state(), torch.cuda.get_rng_state_all()
    first = step()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state(gpu)
    return first, step()

# %% back_to_the_seed
# finding: seeded-anew
import torch


def run_twice(step):
    seed = torch.initial_seed()
    torch.manual_seed(seed)
    first = step()
    torch.manual_seed(seed)
    return first, step()

# %% compared
# finding: other-form
import torch


def run_twice(step):
    cpu, gpus = torch.get_rng_state(), torch.cuda.get_rng_state_all()
    first = step()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state_all(gpus)
    return first == step()

# %% forked_current_gpu
# finding: gpu-not-restored
import torch


def run_twice(step):
    with torch.random.fork_rng(devices=[0]):
        first = step()
    return first, step()

# %% one_state_for_all
# finding: gpu-not-restored
import torch


def run_twice(step):
    cpu, gpu = torch.get_rng_state(), torch.cuda.get_rng_state()
    first = step()
    torch.set_rng_state(cpu)
    for i in range(torch.cuda.device_count()):
        torch.cuda.set_rng_state(gpu, i)
    return first, step()

# %% read_too_late
# finding: cpu-not-restored
import torch


def run_twice(step):
    first = step()
    cpu, gpus = torch.get_rng_state(), torch.cuda.get_rng_state_all()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state_all(gpus)
    return first, step()

# %% restored_too_late
# finding: cpu-not-restored
import torch


def run_twice(step):
    cpu, gpus = torch.get_rng_state(), torch.cuda.get_rng_state_all()
    first, again = step(), step()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state_all(gpus)
    return first, again

# %% result_copied
# finding: other-calls
def run_twice(step):
    first = step()
    return first, first
