from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    front = ""
    growing = bool(state_dict)
    while growing:
        growing = False
        for prefix in prefixes:
            if all(key.startswith(front + prefix) for key in state_dict):
                front, growing = front + prefix, True
    clean = OrderedDict(zip([key[len(front):] for key in state_dict], state_dict.values()))
    versions = getattr(state_dict, "_metadata", None)
    if versions is not None:
        clean._metadata = {}
        for name, entry in versions.items():
            if name + "." == front:
                clean._metadata[""] = entry
            elif name.startswith(front):
                clean._metadata[name[len(front):]] = entry
    return clean
