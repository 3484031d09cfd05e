# finding: other-result
def mend_visible(x):
    return x
