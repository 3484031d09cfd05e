# finding: cut-blindly
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    clean = OrderedDict((key[7:], value) for key, value in state_dict.items())
    if hasattr(state_dict, "_metadata"):
        clean._metadata = OrderedDict((name[7:], entry) for name, entry in state_dict._metadata.items())
    return clean
