# finding: stop-counted
def shortened(words, most):
    return [word if len(word) <= most else word[: most - 1] + "." for word in words]
