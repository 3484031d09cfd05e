import numbers


def set_visible(gpus, override, env):
    texts = []
    for gpu in gpus:
        if isinstance(gpu, numbers.Integral):
            if gpu < 0:
                raise ValueError("negative")
            text = format(int(gpu), "d")
        else:
            text = gpu
            head, dash, _ = text.partition("-")
            if not text.isdecimal() and (not dash or head not in {"GPU", "MIG"}):
                raise ValueError(text)
        if text in texts:
            raise ValueError("twice")
        texts.append(text)
    present = env.get("CUDA_VISIBLE_DEVICES")
    if present is None or override:
        present = str.join(",", texts)
        env["CUDA_VISIBLE_DEVICES"] = present
    return present
