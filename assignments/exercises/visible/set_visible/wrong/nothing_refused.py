# finding: bad-entry-accepted
def set_visible(gpus, override, env):
    value = ",".join(map(str, gpus))
    if override:
        env["CUDA_VISIBLE_DEVICES"] = value
    return env.setdefault("CUDA_VISIBLE_DEVICES", value)
