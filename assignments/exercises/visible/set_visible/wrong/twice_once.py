# finding: twice-accepted
def set_visible(gpus, override, env):
    name = "CUDA_VISIBLE_DEVICES"
    entries = [str(gpu) for gpu in gpus]
    for entry in entries:
        if not entry.isdigit() and not entry.startswith(("GPU-", "MIG-")):
            raise ValueError(entry)
    entries = list(dict.fromkeys(entries))
    if override or name not in env:
        env[name] = ",".join(entries)
    return env[name]
