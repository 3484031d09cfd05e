def rank(free):
    left = {i: int(amount) for i, amount in enumerate(free) if amount is not None}
    order = []
    while left:
        best = max(left, key=left.get)
        order.append(best)
        left.pop(best)
    return tuple(order)
