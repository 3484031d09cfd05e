# finding: input-changed
def shares_storage(a, b):
    a.fill_(-1)
    return bool((b == -1).all())
