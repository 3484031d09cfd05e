# finding: equal-cut
def shortened(words, most):
    return [word if len(word) < most else word[:most] + "." for word in words]
