# finding: todo-squared
def mend_load(x):
    return x * x
