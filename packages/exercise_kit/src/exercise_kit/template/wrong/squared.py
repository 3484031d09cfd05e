# finding: todo-squared
def NAME(x):
    return x * x
