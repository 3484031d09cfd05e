# finding: unknown-read
def rank(free):
    return sorted(range(len(free)), key=lambda i: int(free[i]), reverse=True)
