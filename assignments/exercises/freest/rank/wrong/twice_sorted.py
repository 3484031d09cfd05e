# finding: places-of-cards
def rank(free):
    known = [i for i, amount in enumerate(free) if amount is not None]
    order = sorted(known, key=lambda i: int(free[i]), reverse=True)
    return [order.index(i) for i in known]
