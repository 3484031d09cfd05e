# finding: real-part-damaged
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    def change(key):
        while key.startswith(tuple(prefixes)):
            key = key.partition(".")[2]
        return key


    clean = OrderedDict((change(key), value) for key, value in state_dict.items())
    names = getattr(state_dict, "_metadata", None)
    if names is not None:
        clean._metadata = OrderedDict()
        for name, entry in names.items():
            clean._metadata[change(name + ".").removesuffix(".")] = entry
    return clean
