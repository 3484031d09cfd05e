def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'weights = torch.arange(1.0, 5.0, device=device); criterion = nn.NLLLoss(weight=weights)',
    }
