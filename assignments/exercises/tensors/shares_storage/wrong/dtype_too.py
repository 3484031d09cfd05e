# finding: view-missed
def shares_storage(a, b):
    def place(x):
        return x.device, x.dtype, x.untyped_storage().data_ptr()

    return place(a) == place(b)
