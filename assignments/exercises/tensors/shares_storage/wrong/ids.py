# finding: objects-compared
def shares_storage(a, b):
    return id(a) == id(b)
