def which_tensor():
    return {
        "run": 8,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))',
    }
