import re


def set_visible(gpus, override, env):
    value = ",".join(map(str, gpus))
    entries = re.split(",", value) if gpus else []
    good = all(re.fullmatch("[0-9]+|(GPU|MIG)-.*", str(gpu)) for gpu in gpus)
    if not good or sorted(set(entries)) != sorted(entries):
        raise ValueError(f"not a list of cards: {gpus}")
    if override:
        env.update({"CUDA_VISIBLE_DEVICES": value})
    else:
        env.setdefault("CUDA_VISIBLE_DEVICES", value)
    return env["CUDA_VISIBLE_DEVICES"]
