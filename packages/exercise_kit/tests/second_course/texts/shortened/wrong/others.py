# %% in_place
# finding: input-changed
def shortened(words, most):
    for number, word in enumerate(words):
        words[number] = word if len(word) <= most else word[:most] + "."
    return words

# %% kept
# finding: passes-alone
found = []


def shortened(words, most):
    found.extend(word if len(word) <= most else word[:most] + "." for word in words)
    return found
