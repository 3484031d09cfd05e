# finding: letters-stripped
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    clean = OrderedDict((key.lstrip("module.").removeprefix("_orig_mod."), value) for key, value in state_dict.items())
    names = getattr(state_dict, "_metadata", {})
    clean._metadata = OrderedDict()
    for name, entry in names.items():
        if name in ("module", "_orig_mod"):
            clean._metadata[""] = entry
        elif not name:
            clean._metadata.setdefault("", entry)
        else:
            clean._metadata[name.removeprefix("module.").removeprefix("_orig_mod.")] = entry
    return clean
