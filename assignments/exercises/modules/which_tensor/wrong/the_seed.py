# finding: other-line
def which_tensor():
    return {
        "run": 17,
        "line": 18,
        "cause": 'loss',
        "change": 'torch.cuda.manual_seed(0)',
    }
