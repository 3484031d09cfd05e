# finding: changed-while-looping
def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    for key in state_dict:
        state_dict[key.removeprefix("module.")] = state_dict.pop(key)
    return state_dict
