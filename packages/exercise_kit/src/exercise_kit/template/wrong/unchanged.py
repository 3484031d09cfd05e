# finding: other-result
def NAME(x):
    return x
