# finding: other-form
def shares_storage(a, b):
    same = a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    return "yes" if same and a.device == b.device else "no"
