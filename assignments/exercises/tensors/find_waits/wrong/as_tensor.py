# finding: other-waits
def find_waits():
    return {
        "run": 8,
        "line": 11,
        "cause": 'copy',
        "change": 'shifts = shifts + torch.as_tensor([1.0, 2.0], device=device)',
    }
