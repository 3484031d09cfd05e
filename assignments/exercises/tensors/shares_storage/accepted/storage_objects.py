def shares_storage(a, b):
    return a.untyped_storage()._cdata == b.untyped_storage()._cdata
