# finding: other-result
def mend_load(x):
    return x
