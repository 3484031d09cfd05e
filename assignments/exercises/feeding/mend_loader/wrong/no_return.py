# finding: nothing-returned
def mend_loader(x):
    2 * x
