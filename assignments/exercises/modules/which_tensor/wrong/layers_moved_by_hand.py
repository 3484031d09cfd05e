# finding: other-moved
def which_tensor():
    return {
        "run": 1,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = [nn.Linear(4, 4).to(device) for _ in range(2)]',
    }
