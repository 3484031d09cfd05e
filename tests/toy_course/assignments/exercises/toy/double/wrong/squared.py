# finding: squared
def double(x):
    return x * x
