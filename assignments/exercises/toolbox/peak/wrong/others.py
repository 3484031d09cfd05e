# %% added
# finding: whole-peak
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats(device)
    step()
    return torch.cuda.max_memory_allocated(device) + before

# %% as_it_was
# finding: earlier-counted
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    step()
    return torch.cuda.max_memory_allocated(device) - before

# %% before_read_after
# finding: read-too-late
import torch


def peak(step, device):
    torch.cuda.reset_peak_memory_stats(device)
    step()
    before = torch.cuda.memory_allocated(device)
    return torch.cuda.max_memory_allocated(device) - before

# %% in_mib
# finding: other-unit
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats(device)
    step()
    return (torch.cuda.max_memory_allocated(device) - before) / 2**20

# %% measured_after_a_rehearsal
# finding: other-calls
import torch


def peak(step, device):
    step()
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats(device)
    step()
    return torch.cuda.max_memory_allocated(device) - before

# %% reset_on_the_current_gpu
# finding: earlier-counted
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats()
    step()
    return torch.cuda.max_memory_allocated(device) - before

# %% step_not_called
# finding: other-calls
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats(device)
    return torch.cuda.max_memory_allocated(device) - before

# %% the_other_way_round
# finding: other-result
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats(device)
    step()
    return before - torch.cuda.max_memory_allocated(device)

# %% two_peaks
# finding: two-peaks
import torch


def peak(step, device):
    before = torch.cuda.max_memory_allocated(device)
    step()
    return torch.cuda.max_memory_allocated(device) - before

# %% a_gpu_of_the_notebook
# finding: current-gpu
import torch

gpu = torch.device("cuda:1")


def peak(step, device):
    before = torch.cuda.memory_allocated(gpu)
    torch.cuda.reset_peak_memory_stats(gpu)
    step()
    return torch.cuda.max_memory_allocated(gpu) - before

# %% before_and_after
# finding: rest-counted
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    step()
    return torch.cuda.memory_allocated(device) - before

# %% reset_after
# finding: rest-counted
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    step()
    torch.cuda.reset_peak_memory_stats(device)
    return torch.cuda.max_memory_allocated(device) - before
