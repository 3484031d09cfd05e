# finding: other-result
def mend_loader(x):
    return x
