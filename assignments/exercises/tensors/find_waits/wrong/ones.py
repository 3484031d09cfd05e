# finding: other-result
def find_waits():
    return {
        "run": 8,
        "line": 11,
        "cause": 'copy',
        "change": 'shifts = shifts + torch.ones(2, device=device)',
    }
