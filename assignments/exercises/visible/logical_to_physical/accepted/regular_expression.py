import re


def logical_to_physical(value, n_physical):
    if value is None:
        return [*range(n_physical)]
    good = re.match(r"(\s*\d+\s*(,|$))*", value)[0]
    seen = {}
    for number in map(int, re.findall(r"\d+", good)):
        if number >= n_physical:
            break
        if number in seen:
            return []
        seen[number] = True
    return list(seen)
