# finding: keys-wrong
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    return OrderedDict((key.split(".", 2)[-1], value) for key, value in state_dict.items())
