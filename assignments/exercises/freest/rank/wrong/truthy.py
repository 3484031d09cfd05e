# finding: full-dropped
def rank(free):
    return sorted((i for i, amount in enumerate(free) if amount), key=lambda i: int(free[i]),
                  reverse=True)
