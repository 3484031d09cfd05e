import torch


def fix_load(path, model, batches, device):
    model.to(device)
    checkpoint = torch.load(path, map_location=device)
    torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(checkpoint["model"], "module.")
    model.load_state_dict(checkpoint["model"])
    return [model((batch.to(device) - checkpoint["mean"]) / checkpoint["std"]) for batch in batches]
