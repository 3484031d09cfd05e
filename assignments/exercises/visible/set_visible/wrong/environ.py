# finding: own-environment
import os


def set_visible(gpus, override, env):
    name, value = "CUDA_VISIBLE_DEVICES", ",".join(map(str, gpus))
    if override:
        os.environ[name] = value
    else:
        os.environ.setdefault(name, value)
    return os.environ[name]
