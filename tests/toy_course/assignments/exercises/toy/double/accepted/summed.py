def double(x):
    return sum([x, x])
