# finding: passing-buffer-counted
def bare(entries):
    while all(key.startswith(("module.", "_orig_mod.")) for key in entries):
        entries = {key.partition(".")[2]: shape for key, shape in entries.items()}
    return entries


def explain_load_error(model, state_dict):
    wanted = {key: value.shape for key, value in [*model.named_parameters(), *model.named_buffers()]}
    found = {key: value.shape for key, value in state_dict.items()}
    missing = [key for key in wanted if key not in found]
    unexpected = [key for key in found if key not in wanted]
    size = [key for key in wanted if key in found and wanted[key] != found[key]]
    if not missing and not unexpected and not size:
        advice = "load it"
    elif bare(found) == wanted:
        advice = "clean the keys"
    elif bare(wanted) == found:
        advice = "load into model.module"
    elif not size and [wanted[k] for k in missing] == [found[k] for k in unexpected]:
        advice = "rename the keys"
    else:
        advice = "use the model it was saved from"
    return {"missing": missing, "unexpected": unexpected, "size": size, "advice": advice}
