# finding: bad-entry-accepted
def set_visible(gpus, override, env):
    name = "CUDA_VISIBLE_DEVICES"
    entries = [str(gpu) for gpu in gpus]
    for entry in entries:
        if entry.startswith("-"):
            raise ValueError(entry)
    if len(set(entries)) < len(entries):
        raise ValueError(entries)
    if override or name not in env:
        env[name] = ",".join(entries)
    return env[name]
