# finding: unsigned-negated
def rank(free):
    amounts = {
        index: int(amount) if isinstance(amount, str) else amount
        for index, amount in enumerate(free)
        if amount is not None
    }
    return sorted(amounts, key=lambda index: -amounts[index])
