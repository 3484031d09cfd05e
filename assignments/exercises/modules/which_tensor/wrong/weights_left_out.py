# finding: other-result
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'criterion = nn.NLLLoss()',
    }
