# finding: copy-taken-for-sharing
def shares_storage(a, b):
    return a.device == b.device
