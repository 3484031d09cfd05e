def shares_storage(a, b):
    """Return True if tensors `a` and `b` look into the same storage on the same device."""
    ### BEGIN SOLUTION
    # The address of the *storage* is where the whole block begins. `a.data_ptr()` would be where
    # the part begins that `a` looks at, and `id(a)` belongs to the Python object.
    # An address counts only on its device: empty tensors all have address 0, for example.
    same_address = a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    return same_address and a.device == b.device
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# x = torch.arange(6.0, device=devices[1]).reshape(2, 3)
# print(x.data_ptr(), x[1].data_ptr())
# print(shares_storage(x, x.t()), shares_storage(x, x.to(devices[2])))
