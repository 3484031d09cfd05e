# finding: other-cause
def which_tensor():
    return {
        "run": 8,
        "line": 7,
        "cause": 'attribute',
        "change": 'self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])',
    }
