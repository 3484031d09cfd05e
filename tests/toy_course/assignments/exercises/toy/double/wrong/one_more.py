# finding: other-result
def double(x):
    return x + 1
