# finding: not-true-or-false
def shares_storage(a, b):
    a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
