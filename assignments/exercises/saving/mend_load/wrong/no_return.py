# finding: nothing-returned
def mend_load(x):
    2 * x
