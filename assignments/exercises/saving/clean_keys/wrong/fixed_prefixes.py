# finding: prefixes-ignored
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    keys = list(state_dict)
    front = ""
    while all(key.startswith((front + "module.", front + "_orig_mod.")) for key in keys):
        front = front + keys[0][len(front):].partition(".")[0] + "."
    clean = OrderedDict((key[len(front):], value) for key, value in state_dict.items())
    names = getattr(state_dict, "_metadata", None)
    if names is not None:
        clean._metadata = OrderedDict()
        for name, entry in names.items():
            if (name + ".").startswith(front) or not front:
                clean._metadata[(name + ".")[len(front):].removesuffix(".")] = entry
    return clean
