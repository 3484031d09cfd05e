# finding: not-a-text
def set_visible(gpus, override, env):
    name = "CUDA_VISIBLE_DEVICES"
    entries = [str(gpu) for gpu in gpus]
    for entry in entries:
        if not entry.isdigit() and not entry.startswith(("GPU-", "MIG-")):
            raise ValueError(entry)
    if len(set(entries)) < len(entries):
        raise ValueError(entries)
    if override or name not in env:
        env[name] = gpus[0] if len(gpus) == 1 else gpus
    return env[name]
