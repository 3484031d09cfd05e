# finding: nothing-returned
def mend_parallel(x):
    2 * x
