# finding: view-missed
def shares_storage(a, b):
    same = a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    return same and a.device == b.device and a.shape == b.shape
