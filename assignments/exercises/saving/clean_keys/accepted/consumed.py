import copy
from collections import OrderedDict

from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    clean = OrderedDict(state_dict)
    if hasattr(state_dict, "_metadata"):
        clean._metadata = copy.deepcopy(state_dict._metadata)
    found = len(clean) > 0
    while found:
        found = False
        for prefix in prefixes:
            if all(key.startswith(prefix) for key in clean):
                consume_prefix_in_state_dict_if_present(clean, prefix)
                found = True
    return clean
