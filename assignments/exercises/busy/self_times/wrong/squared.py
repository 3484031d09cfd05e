# finding: todo-squared
def self_times(x):
    return x * x
