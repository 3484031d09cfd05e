def shortened(words, most):
    found = []
    for word in words:
        found.append(word[:most] + "." if len(word) > most else word)
    return found
