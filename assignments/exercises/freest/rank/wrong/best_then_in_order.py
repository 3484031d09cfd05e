# finding: other-order
def rank(free):
    known = [index for index, amount in enumerate(free) if amount is not None]
    if not known:
        return []
    best = max(known, key=lambda index: int(free[index]))
    return [best, *(index for index in known if index != best)]
