def rank(free):
    pairs = [(-int(amount), index) for index, amount in enumerate(free) if amount is not None]
    return [index for _, index in sorted(pairs)]
