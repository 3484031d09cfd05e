# finding: model-changed
import re

def bare(entries):
    while all(key.startswith(("module.", "_orig_mod.")) for key in entries):
        entries = {key.partition(".")[2]: shape for key, shape in entries.items()}
    return entries


def explain_load_error(model, state_dict):
    try:
        model.load_state_dict(state_dict)
        text = ""
    except RuntimeError as error:
        text = str(error)
    missing = re.findall(r'"([^"]+)"', text.split("Unexpected")[0])
    unexpected = re.findall(r'"([^"]+)"', text.partition("Unexpected")[2])
    size = re.findall(r"size mismatch for (\S+):", text)
    wanted = {key: value.shape for key, value in model.state_dict().items()}
    found = {key: value.shape for key, value in state_dict.items()}
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
