# finding: text
def double(x):
    return "x" * "2"
