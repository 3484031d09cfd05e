# finding: no-number
import re


def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for number in map(int, re.findall(r"-?\d+", value)):
        if not 0 <= number < n_physical:
            break
        cards.append(number)
    return cards if len(set(cards)) == len(cards) else []
