# finding: other-result
def wrap(x):
    return x
