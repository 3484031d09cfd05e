# finding: other-keys
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    def change(key):
        return ".".join(key.removeprefix("module.").split(".")[-2:])

    clean = OrderedDict((change(key), value) for key, value in state_dict.items())
    names = getattr(state_dict, "_metadata", None)
    if names is not None:
        clean._metadata = {change(name + ".").removesuffix("."): names[name] for name in names}
    return clean
