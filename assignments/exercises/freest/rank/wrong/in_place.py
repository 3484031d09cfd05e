# finding: input-changed
def rank(free):
    for i, amount in enumerate(free):
        if amount is not None:
            free[i] = int(amount)
    known = [i for i, amount in enumerate(free) if amount is not None]
    return sorted(known, key=lambda i: free[i], reverse=True)
