# finding: other-result
def shortened(words, most):
    return [word if len(word) <= most else word[:most] + "." for word in sorted(words)]
