# finding: other-error
def set_visible(gpus, override, env):
    entries = [str(gpu) for gpu in gpus]
    if not all(entry.isdigit() or entry.startswith(("GPU-", "MIG-")) for entry in entries):
        raise TypeError("no card")
    if override:
        env["CUDA_VISIBLE_DEVICES"] = ",".join(entries)
    return env.setdefault("CUDA_VISIBLE_DEVICES", ",".join(entries))
