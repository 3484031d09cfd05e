# finding: there-already
def which_tensor():
    return {
        "run": 17,
        "line": 25,
        "cause": 'loss',
        "change": 'labels = labels.cuda()',
    }
