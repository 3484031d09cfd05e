def new_enough(capabilities, needed):
    """Return the indices of the GPUs whose capability is at least `needed`.

    capabilities: a pair (major, minor) for each GPU. needed: a string such as "8.0".
    """
    ### BEGIN SOLUTION
    # As strings, "10.0" is smaller than "8.9", and as floats 8.10 is smaller than 8.9. A pair of
    # whole numbers compares in the right way, once the string is one as well.
    major, minor = needed.split(".")
    least = (int(major), int(minor))
    return [index for index, capability in enumerate(capabilities) if capability >= least]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(new_enough([(8, 9), (7, 5), (9, 0)], "8.9"))
# print(new_enough([torch.cuda.get_device_capability(device) for device in devices], "8.0"))
