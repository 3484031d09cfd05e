# finding: other-kept
def which_tensor():
    return {
        "run": 2,
        "line": 7,
        "cause": 'attribute',
        "change": 'self.mean = nn.Parameter(torch.full((4,), 0.5), requires_grad=False)',
    }
