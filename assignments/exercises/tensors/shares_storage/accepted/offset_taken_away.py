def shares_storage(a, b):
    if a.device != b.device:
        return False
    starts = [x.data_ptr() - x.storage_offset() * x.element_size() for x in (a, b)]
    return starts[0] == starts[1]
