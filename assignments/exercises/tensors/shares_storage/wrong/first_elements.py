# finding: first-elements-compared
def shares_storage(a, b):
    return a.device == b.device and a.data_ptr() == b.data_ptr()
