# finding: todo-squared
def mend_mismatch(x):
    return x * x
