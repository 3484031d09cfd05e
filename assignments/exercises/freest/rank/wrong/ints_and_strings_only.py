# finding: numpy-left-out
def rank(free):
    known = [index for index, amount in enumerate(free) if isinstance(amount, int | str)]
    return sorted(known, key=lambda index: int(free[index]), reverse=True)
