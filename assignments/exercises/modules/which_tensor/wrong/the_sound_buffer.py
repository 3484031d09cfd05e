# finding: not-left-behind
def which_tensor():
    return {
        "run": 17,
        "line": 8,
        "cause": 'attribute',
        "change": 'self.register_buffer("mean", torch.full((4,), 0.5))',
    }
