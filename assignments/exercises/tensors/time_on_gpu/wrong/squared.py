# finding: todo-squared
def time_on_gpu(x):
    return x * x
