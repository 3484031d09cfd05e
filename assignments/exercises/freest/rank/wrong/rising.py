# finding: smallest-first
def rank(free):
    known = [i for i, amount in enumerate(free) if amount is not None]
    return sorted(known, key=lambda i: int(free[i]))
