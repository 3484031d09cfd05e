import os
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    common, front = os.path.commonprefix(list(state_dict)), ""
    while common.startswith(tuple(front + prefix for prefix in prefixes)):
        front += next(prefix for prefix in prefixes if common.startswith(front + prefix))
    clean = OrderedDict((key[len(front):], value) for key, value in state_dict.items())
    names = getattr(state_dict, "_metadata", None)
    if names is not None:
        clean._metadata = {f"{name}."[len(front):-1]: names[name]
                           for name in names if f"{name}.".startswith(front)}
    return clean
