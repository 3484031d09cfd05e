def set_visible(gpus, override, env):
    """Write `gpus` to env["CUDA_VISIBLE_DEVICES"]; return the value that is in force.

    override: whether a value that is there is replaced.
    Raises ValueError for an entry that names no card, and for a card named twice.
    """
    ### BEGIN SOLUTION
    # As texts, all kinds of entries look alike, and 2 and "2" are the same card.
    entries = [str(gpu) for gpu in gpus]
    for entry in entries:
        if not entry.isdigit() and not entry.startswith(("GPU-", "MIG-")):
            raise ValueError(f"{entry!r} names no card")
    if len(set(entries)) < len(entries):
        raise ValueError(f"a card is named twice: {entries}")
    # Only now, when nothing can go wrong any more, is something written.
    name, value = "CUDA_VISIBLE_DEVICES", ",".join(entries)
    if override:
        env[name] = value
    return env.setdefault(name, value)
    ### END SOLUTION

# %% try
# Try it out here: remove the # signs and run.
# env = {}
# print(set_visible([2, 3], False, env), env)
# print(set_visible([0], False, env), env)
