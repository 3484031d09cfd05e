# finding: card-twice
def rank(free):
    amounts = [None if amount is None else int(amount) for amount in free]
    known = sorted((a for a in amounts if a is not None), reverse=True)
    return [amounts.index(a) for a in known]
