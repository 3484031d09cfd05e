# %% no_map_location
# finding: tag-followed
import torch


def restart(build, path, device):
    checkpoint = torch.load(path)
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"].cpu())
    return model, optimizer, checkpoint["epoch"]

# %% the_next_epoch
# finding: other-epochs
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    return model, optimizer, checkpoint["epoch"] + 1

# %% model_left
# finding: model-elsewhere
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build()
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    return model, optimizer, checkpoint["epoch"]

# %% weights_forgotten
# finding: weights-new
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    return model, optimizer, checkpoint["epoch"]

# %% taken_over
# finding: trains-another
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location=device)
    model = build().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.load_state_dict(checkpoint["model"], assign=True)
    torch.set_rng_state(checkpoint["generator"].cpu())
    return model, optimizer, checkpoint["epoch"]

# %% another_learning_rate
# finding: other-weights
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer.load_state_dict(checkpoint["optimizer"])
    optimizer.param_groups[0]["lr"] = 0.001
    torch.set_rng_state(checkpoint["generator"])
    return model, optimizer, checkpoint["epoch"]

# %% a_dict
# finding: other-form
import torch


def restart(build, path, device):
    return torch.load(path, map_location="cpu")

# %% nothing_returned
# finding: nothing-returned
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    build().load_state_dict(checkpoint["model"])

# %% in_a_wrapper
# finding: model-wrapped
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    return torch.nn.DataParallel(model), optimizer, checkpoint["epoch"]

# %% made_double
# finding: dtype-changed
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().double().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    return model, optimizer, checkpoint["epoch"]

# %% made_double_at_the_end
# finding: dtype-changed
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    return model.double(), optimizer, checkpoint["epoch"]

# %% frozen
# finding: frozen
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    return model.requires_grad_(False), optimizer, checkpoint["epoch"]

# %% evaluating
# finding: mode-changed
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    model.eval()
    return model, optimizer, checkpoint["epoch"]

# %% generator_of_the_gpu
# finding: generator-of-a-gpu
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.cuda.set_rng_state(checkpoint["generator"], device)
    return model, optimizer, checkpoint["epoch"]

# %% made_without_gradients
# finding: step-fails
import torch


@torch.inference_mode()
def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["generator"])
    return model, optimizer, checkpoint["epoch"]

# %% generator_forgotten
# finding: generator-other
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    return model, optimizer, checkpoint["epoch"]
