# %% a_factor
def find_waits():
    return {
        "run": 1,
        "line": 15,
        "cause": 'decision',
        "change": 'weight = weight / (1 + (scores.amax() > 10).float())',
    }

# %% as_a_tensor
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": 'number',
        "change": 'total = total + loss',
    }

# %% not_pinned
def find_waits():
    return {
        "run": 19,
        "line": 12,
        "cause": "copy",
        # Not pinned: PyTorch leaves out its wait. CUDA first copies to pinned memory of its own, and
        # may wait there, which `set_sync_debug_mode` does not see.
        "change": "shifts = shifts + shift.to(device, non_blocking=True)",
    }

# %% pinned
def find_waits():
    return {
        "run": 19,
        "line": 12,
        "cause": 'copy',
        "change": 'shifts = shifts + shift.pin_memory().to(device, non_blocking=True)',
    }

# %% two_statements
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": "high = scores > 7; kept = kept + (scores * high).sum()",
    }

# %% detached_sum
def find_waits():
    return {
        "run": 6,
        "line": 14,
        "cause": 'number',
        "change": 'total += scores.sum() / len(scores)',
    }

# %% made_on_the_gpu
def find_waits():
    return {
        "run": 8,
        "line": 11,
        "cause": 'copy',
        "change": 'shifts = shifts + torch.arange(1.0, 3.0, device=device)',
    }
