# finding: queued
def find_waits():
    return {
        "run": 17,
        "line": 8,
        "cause": 'copy',
        "change": 'batch = torch.full((3, 4), 1.0, device=device)',
    }
