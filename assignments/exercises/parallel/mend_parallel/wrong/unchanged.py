# finding: other-result
def mend_parallel(x):
    return x
