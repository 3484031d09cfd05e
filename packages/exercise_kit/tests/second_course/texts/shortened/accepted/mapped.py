def shortened(words, most):
    return list(map(lambda word: word[:most] + "." * (word[most:] != ""), words))
