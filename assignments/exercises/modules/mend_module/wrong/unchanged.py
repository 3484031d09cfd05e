# finding: other-result
def mend_module(x):
    return x
