# finding: todo-squared
def mend_visible(x):
    return x * x
