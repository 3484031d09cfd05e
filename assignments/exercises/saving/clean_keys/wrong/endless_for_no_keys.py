# outcome: timed-out
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    keys = list(state_dict)
    front = ""
    while any(all(key.startswith(front + p) for key in keys) for p in prefixes):
        front += next(p for p in prefixes if all(key.startswith(front + p) for key in keys))
    clean = OrderedDict((key[len(front):], state_dict[key]) for key in keys)
    names = getattr(state_dict, "_metadata", None)
    if names is not None:
        clean._metadata = OrderedDict(
            ((name + ".")[len(front):].removesuffix("."), entry)
            for name, entry in names.items()
            if (name + ".").startswith(front) or not front
        )
    return clean
