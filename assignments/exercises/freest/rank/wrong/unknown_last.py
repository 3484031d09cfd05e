# finding: unknown-ranked
def rank(free):
    return sorted(range(len(free)), key=lambda i: -1 if free[i] is None else int(free[i]),
                  reverse=True)
