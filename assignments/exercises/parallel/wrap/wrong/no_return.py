# finding: nothing-returned
def wrap(x):
    2 * x
