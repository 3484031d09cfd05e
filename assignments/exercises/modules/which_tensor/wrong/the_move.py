# finding: moves-what-it-knows
def which_tensor():
    return {
        "run": 2,
        "line": 19,
        "cause": 'attribute',
        "change": 'net = Net().cuda()',
    }
