# finding: nothing-returned
def mend_module(x):
    2 * x
