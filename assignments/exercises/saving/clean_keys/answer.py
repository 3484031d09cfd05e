from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    """Return `state_dict` with the keys of the bare model; what was passed in stays as it was."""
    ### BEGIN SOLUTION
    # A dict of its own from the start. `_metadata` is an attribute, so it is carried over by hand.
    clean = OrderedDict(state_dict)
    names = getattr(state_dict, "_metadata", None)
    for prefix in prefixes:
        # Only what stands before *every* key is a wrapper's. An empty dict has nothing to clean.
        if clean and all(key.startswith(prefix) for key in clean):
            clean = OrderedDict((key[len(prefix) :], clean[key]) for key in clean)
            if names is not None:
                # With a dot at its end each module's name is treated like a key. The wrapper's own
                # entry, the empty name, does not begin with the prefix, and goes.
                clean._metadata = OrderedDict(
                    (f"{name}."[len(prefix) : -1], names[name])
                    for name in names
                    if f"{name}.".startswith(prefix)
                )
            # There may be another wrapper inside.
            return clean_keys(clean, prefixes)
    if names is not None:
        clean._metadata = OrderedDict(names)
    return clean
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
# twice = torch.nn.DataParallel(torch.nn.DataParallel(net)).state_dict()
# print(list(twice))
# print(list(clean_keys(twice)))
