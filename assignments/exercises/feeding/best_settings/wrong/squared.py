# finding: todo-squared
def best_settings(x):
    return x * x
