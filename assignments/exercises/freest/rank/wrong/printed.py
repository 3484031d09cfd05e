# finding: nothing-returned
def rank(free):
    known = [i for i, amount in enumerate(free) if amount is not None]
    print(sorted(known, key=lambda i: int(free[i]), reverse=True))
