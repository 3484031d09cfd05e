# finding: todo-squared
def mend_parallel(x):
    return x * x
