# finding: renumbered
def rank(free):
    known = [int(amount) for amount in free if amount is not None]
    return sorted(range(len(known)), key=lambda i: known[i], reverse=True)
