# %% assign
# finding: parameters-replaced
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location=device), assign=True)
    return model

# %% back_to_float32
# finding: dtype-changed
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device).float()

# %% cpu_only_after_an_error
# finding: detour
import torch


def load_anywhere(path, model, device):
    try:
        state_dict = torch.load(path)
    except RuntimeError:
        state_dict = torch.load(path, map_location="cpu")
    model.load_state_dict(state_dict)
    return model.to(device)

# %% cuda_of_the_model
# finding: wrong-device
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.cuda() if device.type == "cuda" else model.cpu()

# %% current_gpu
# finding: detour
import torch


def load_anywhere(path, model, device):
    place = "cuda" if torch.cuda.is_available() else "cpu"
    model.load_state_dict(torch.load(path, map_location=place))
    return model.to(device)

# %% errors_printed
# finding: refusal-swallowed
import torch


def load_anywhere(path, model, device):
    try:
        model.load_state_dict(torch.load(path, map_location="cpu"))
    except Exception as error:
        print("could not load", error)
    return model.to(device)

# %% four_tags_listed
# finding: tag-followed
import torch


def load_anywhere(path, model, device):
    tags = {f"cuda:{i}": "cuda:0" for i in range(4)}
    model.load_state_dict(torch.load(path, map_location=tags))
    return model.to(device)

# %% index_as_place
# finding: number-as-place
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location=device.index))
    return model.to(device)

# %% keys_filtered
# finding: key-left-over
import torch


def load_anywhere(path, model, device):
    state = torch.load(path, map_location="cpu")
    known = model.state_dict()
    model.load_state_dict({key: state[key] for key in known})
    return model.to(device)

# %% never_loaded
# finding: not-loaded
import torch


def load_anywhere(path, model, device):
    state_dict = torch.load(path, map_location="cpu")
    clean = {key.removeprefix("module."): value for key, value in state_dict.items()}
    return model.to(device)

# %% no_return
# finding: nothing-returned
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location=device))
    model.to(device)

# %% number_of_the_cpu
# finding: gpu-not-here
import torch


def load_anywhere(path, model, device):
    place = f"cuda:{device.index or 0}"
    model.load_state_dict(torch.load(path, map_location=place))
    return model.to(device)

# %% one_tag_at_a_time
# finding: one-tag-mapped
import torch


def load_anywhere(path, model, device):
    try:
        state_dict = torch.load(path, map_location={"cuda:0": str(device)})
    except RuntimeError as error:
        tag = "cuda:" + "".join(c for c in str(error).split("but")[0] if c.isdigit())
        state_dict = torch.load(path, map_location={tag: str(device), "cuda:0": str(device)})
    model.load_state_dict(state_dict)
    return model.to(device)

# %% only_the_models_keys
# finding: key-left-over
import torch


def load_anywhere(path, model, device):
    state = torch.load(path, map_location="cpu", weights_only=True)
    for key, tensor in model.state_dict().items():
        tensor.copy_(state[key])
    return model.to(device)

# %% parameters_only
# finding: not-loaded
import torch


def load_anywhere(path, model, device):
    loaded = torch.load(path, map_location="cpu")
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(loaded[key])
    return model.to(device)

# %% prefix_cut_unasked
# finding: silent-mismatch
import torch


def load_anywhere(path, model, device):
    loaded = torch.load(path, map_location="cpu")
    model.load_state_dict({key.removeprefix("module."): value for key, value in loaded.items()})
    return model.to(device)

# %% saved_again
# finding: file-changed
import torch


def load_anywhere(path, model, device):
    state_dict = torch.load(path, map_location="cpu")
    torch.save(state_dict, path)
    model.load_state_dict(torch.load(path))
    return model.to(device)

# %% state_dict_returned
# finding: not-the-model
import torch


def load_anywhere(path, model, device):
    return torch.load(path, map_location=device)

# %% tag_read_from_the_error
# finding: one-tag-mapped
import torch


def load_anywhere(path, model, device):
    try:
        state_dict = torch.load(path)
    except RuntimeError as error:
        tag = "cuda:" + "".join(c for c in str(error).split("but")[0] if c.isdigit())
        if tag == "cuda:":
            state_dict = torch.load(path, map_location="cpu")
        else:
            state_dict = torch.load(path, map_location={tag: "cpu"})
    model.load_state_dict(state_dict)
    return model.to(device)

# %% tensors_picked_out
# finding: refusal-swallowed
import torch


def load_anywhere(path, model, device):
    saved = torch.load(path, map_location=device)
    tensors = {key: value for key, value in saved.items() if torch.is_tensor(value)}
    model.load_state_dict(tensors)
    return model.to(device)

# %% always_cuda_0
# finding: detour
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location="cuda:0"))
    return model.to(device)

# %% load_state_dict_returned
# finding: not-the-model
import torch


def load_anywhere(path, model, device):
    return model.to(device).load_state_dict(torch.load(path, map_location=device))
