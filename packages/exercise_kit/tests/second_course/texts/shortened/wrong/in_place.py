# finding: input-changed
def shortened(words, most):
    for number, word in enumerate(words):
        words[number] = word if len(word) <= most else word[:most] + "."
    return words
