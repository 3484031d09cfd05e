# finding: todo-squared
def mend_loader(x):
    return x * x
