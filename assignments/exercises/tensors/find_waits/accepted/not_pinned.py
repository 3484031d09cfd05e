def find_waits():
    return {
        "run": 19,
        "line": 12,
        "cause": "copy",
        # Not pinned: PyTorch leaves out its wait, and CUDA first copies to a buffer of its own.
        "change": "shifts = shifts + shift.to(device, non_blocking=True)",
    }
