# finding: other-result
def mend_mismatch(x):
    return x
