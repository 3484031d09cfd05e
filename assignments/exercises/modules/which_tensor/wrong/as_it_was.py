# finding: line-as-it-was
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'criterion = nn.NLLLoss(weight=torch.arange(1.0, 5.0))',
    }
