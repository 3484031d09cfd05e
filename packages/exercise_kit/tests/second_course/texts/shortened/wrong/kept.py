# finding: passes-alone
found = []


def shortened(words, most):
    found.extend(word if len(word) <= most else word[:most] + "." for word in words)
    return found
