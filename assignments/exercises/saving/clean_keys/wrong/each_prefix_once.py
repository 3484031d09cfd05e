# finding: prefix-left
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    def change(key):
        for prefix in prefixes:
            key = key.removeprefix(prefix)
        return key


    clean = OrderedDict((change(key), value) for key, value in state_dict.items())
    names = getattr(state_dict, "_metadata", None)
    if names is not None:
        clean._metadata = OrderedDict()
        for name, entry in names.items():
            clean._metadata[change(name + ".").removesuffix(".")] = entry
    return clean
