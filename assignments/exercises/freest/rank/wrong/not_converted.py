# finding: not-comparable
def rank(free):
    known = [i for i, amount in enumerate(free) if amount is not None]
    amounts = [free[i] for i in known]
    if amounts and isinstance(amounts[0], str):
        amounts = [int(amount) for amount in amounts]
    pairs = dict(zip(known, amounts))
    return sorted(known, key=pairs.get, reverse=True)
