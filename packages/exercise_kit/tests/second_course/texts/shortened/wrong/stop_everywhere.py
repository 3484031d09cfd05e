# finding: stop-everywhere
def shortened(words, most):
    return [word[:most] + "." for word in words]
