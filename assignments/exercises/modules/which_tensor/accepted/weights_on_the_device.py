def which_tensor():
    return {
        "run": 3,
        "line": 25,
        "cause": 'loss',
        "change": 'criterion = nn.CrossEntropyLoss(weight=torch.arange(1.0, 5.0, device=device))',
    }
