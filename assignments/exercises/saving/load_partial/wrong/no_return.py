# finding: nothing-returned
def load_partial(x):
    2 * x
