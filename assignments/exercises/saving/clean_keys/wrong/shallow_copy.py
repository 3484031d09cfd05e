# finding: input-changed
import copy

from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    clean = copy.copy(state_dict)
    for prefix in prefixes:
        consume_prefix_in_state_dict_if_present(clean, prefix)
    return clean
