# finding: unknown-ranked
def rank(free):
    return sorted(range(len(free)), key=lambda i: int(free[i] or 0), reverse=True)
