# finding: wrong-form
def explain_load_error(model, state_dict):
    wanted = {key: value.shape for key, value in model.state_dict().items()}
    found = {key: value.shape for key, value in state_dict.items()}
    return [k for k in wanted if k not in found], [k for k in found if k not in wanted]
