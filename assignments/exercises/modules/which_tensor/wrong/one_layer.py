# finding: other-kept
def which_tensor():
    return {
        "run": 8,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = nn.ModuleList([nn.Linear(4, 4)])',
    }
