# finding: view-missed
def shares_storage(a, b):
    def base(x):
        return x if x._base is None else x._base

    return base(a) is base(b)
