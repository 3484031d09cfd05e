# finding: nothing-returned
def NAME(x):
    2 * x
