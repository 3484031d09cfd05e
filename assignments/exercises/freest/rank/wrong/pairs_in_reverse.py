# finding: ties-reversed
def rank(free):
    pairs = [(int(amount), i) for i, amount in enumerate(free) if amount is not None]
    return [i for _, i in sorted(pairs, reverse=True)]
