# finding: other-line
def find_waits():
    return {
        "run": 17,
        "line": 5,
        "cause": 'copy',
        "change": 'shift = torch.arange(1.0, 3.0, device=device)',
    }
