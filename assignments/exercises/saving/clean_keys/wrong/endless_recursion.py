# finding: nothing-to-clean
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    names = getattr(state_dict, "_metadata", None)
    for prefix in prefixes:
        if all(key.startswith(prefix) for key in state_dict):
            clean = OrderedDict((key[len(prefix):], value) for key, value in state_dict.items())
            if names is not None:
                clean._metadata = OrderedDict(
                    ((name + ".")[len(prefix):-1], entry)
                    for name, entry in names.items()
                    if (name + ".").startswith(prefix)
                )
            return clean_keys(clean, prefixes)
    clean = OrderedDict(state_dict)
    if names is not None:
        clean._metadata = OrderedDict(names)
    return clean
