# finding: first-elements-compared
def shares_storage(a, b):
    if a.device != b.device or a.data_ptr() > b.data_ptr():  # only b may begin later
        return False
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
