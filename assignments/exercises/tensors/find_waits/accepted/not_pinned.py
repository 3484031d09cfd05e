def find_waits():
    return {
        "run": 19,
        "line": 12,
        "cause": "copy",
        # Not pinned: PyTorch leaves out its wait. CUDA first copies to pinned memory of its own, and
        # may wait there, which `set_sync_debug_mode` does not see.
        "change": "shifts = shifts + shift.to(device, non_blocking=True)",
    }
