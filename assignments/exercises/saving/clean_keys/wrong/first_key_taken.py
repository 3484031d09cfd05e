# finding: nothing-to-clean
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    first = list(state_dict)[0]
    front = ""
    while any(first.startswith(front + p) and all(k.startswith(front + p) for k in state_dict) for p in prefixes):
        front += first[len(front):].partition(".")[0] + "."
    clean = OrderedDict((key[len(front):], value) for key, value in state_dict.items())
    names = getattr(state_dict, "_metadata", None)
    if names is not None:
        clean._metadata = OrderedDict(
            ((name + ".")[len(front):].removesuffix("."), entry)
            for name, entry in names.items()
            if (name + ".").startswith(front) or not front
        )
    return clean
