# finding: there-already
def which_tensor():
    return {
        "run": 17,
        "line": 24,
        "cause": 'forward',
        "change": 'images = images.to(device)',
    }
