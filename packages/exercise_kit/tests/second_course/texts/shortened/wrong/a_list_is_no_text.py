# finding: counted-as-one
def shortened(words, most):
    return "." + words
