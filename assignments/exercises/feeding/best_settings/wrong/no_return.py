# finding: nothing-returned
def best_settings(x):
    2 * x
