# finding: nothing-returned
def mend_mismatch(x):
    2 * x
