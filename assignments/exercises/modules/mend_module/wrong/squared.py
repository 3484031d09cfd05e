# finding: todo-squared
def mend_module(x):
    return x * x
