import torch
from torch import nn
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


def weights(trained, path, model, device):
    state_dict = trained.state_dict()
    if isinstance(trained, nn.DataParallel):
        consume_prefix_in_state_dict_if_present(state_dict, "module.")
    torch.save({key: tensor.cpu() for key, tensor in state_dict.items()}, path)
    model.load_state_dict(torch.load(path))
    return model.to(device)
