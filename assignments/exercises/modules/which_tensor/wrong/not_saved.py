# finding: other-kept
def which_tensor():
    return {
        "run": 2,
        "line": 7,
        "cause": 'attribute',
        "change": 'self.register_buffer("mean", torch.full((4,), 0.5), persistent=False)',
    }
