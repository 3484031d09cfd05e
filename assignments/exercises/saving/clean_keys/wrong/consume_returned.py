# finding: nothing-returned
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    return consume_prefix_in_state_dict_if_present(dict(state_dict), prefixes[0])
