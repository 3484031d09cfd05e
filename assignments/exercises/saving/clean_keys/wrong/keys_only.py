# finding: other-form
def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    return [key.removeprefix("module.") for key in state_dict]
