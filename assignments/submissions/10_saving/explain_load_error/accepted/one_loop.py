def strip(state_dict):
    entries = {key: value.shape for key, value in state_dict.items()}
    while True:
        parts = {key.split(".")[0] for key in entries}
        if parts not in ({"module"}, {"_orig_mod"}):
            return entries
        entries = {".".join(key.split(".")[1:]): shape for key, shape in entries.items()}


def advise(wanted, found, missing, unexpected, size):
    if not missing + unexpected + size:
        return "load it"
    if strip(found) == {key: value.shape for key, value in wanted.items()}:
        return "clean the keys"
    if strip(wanted) == {key: value.shape for key, value in found.items()}:
        return "load into model.module"
    here, there = [wanted[k].shape for k in missing], [found[k].shape for k in unexpected]
    if here == there and not size:
        return "rename the keys"
    return "use the model it was saved from"


def explain_load_error(model, state_dict):
    missing, unexpected, size = [], list(state_dict), []
    for key, value in model.state_dict().items():
        if key not in state_dict:
            missing.append(key)
            continue
        unexpected.remove(key)
        if value.shape != state_dict[key].shape:
            size.append(key)
    answer = {"missing": missing, "unexpected": unexpected, "size": size}
    return answer | {"advice": advise(model.state_dict(), state_dict, **answer)}
