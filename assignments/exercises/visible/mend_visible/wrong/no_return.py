# finding: nothing-returned
def mend_visible(x):
    2 * x
