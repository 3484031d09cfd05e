# finding: objects-compared
def shares_storage(a, b):
    return a.storage() is b.storage()
