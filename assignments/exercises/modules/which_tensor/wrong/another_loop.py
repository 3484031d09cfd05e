# finding: other-steps
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'criterion, range = nn.NLLLoss(weight=torch.arange(1.0, 5.0)).to(device), lambda number: [0, 7]',
    }
