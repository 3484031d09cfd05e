# finding: amounts-returned
def rank(free):
    return sorted((int(amount) for amount in free if amount is not None), reverse=True)
