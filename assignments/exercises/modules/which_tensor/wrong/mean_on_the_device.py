# finding: other-moved
def which_tensor():
    return {
        "run": 2,
        "line": 7,
        "cause": 'attribute',
        "change": 'self.mean = torch.full((4,), 0.5, device=device)',
    }
