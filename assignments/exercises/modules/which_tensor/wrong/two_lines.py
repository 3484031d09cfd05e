# finding: other-form
def which_tensor():
    return {
        "run": 1,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])\n        self.extra = 1',
    }
