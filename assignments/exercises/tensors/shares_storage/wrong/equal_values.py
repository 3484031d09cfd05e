# finding: copy-taken-for-sharing
def shares_storage(a, b):
    return a.cpu().flatten().tolist() == b.cpu().flatten().tolist()
