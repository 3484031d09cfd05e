# finding: nothing-returned
def shares_storage(a, b):
    a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
