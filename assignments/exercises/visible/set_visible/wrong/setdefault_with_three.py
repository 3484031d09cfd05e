# finding: separate-arguments
def set_visible(gpus, override, env):
    name = "CUDA_VISIBLE_DEVICES"
    entries = [str(gpu) for gpu in gpus]
    for entry in entries:
        if not entry.isdigit() and not entry.startswith(("GPU-", "MIG-")):
            raise ValueError(entry)
    if len(set(entries)) < len(entries):
        raise ValueError(entries)
    env.setdefault(name, *entries)
    return env[name]
