# %% replaced_everywhere
# finding: keys-do-not-fit
import torch


def weights(trained, path, model, device):
    state = {key.replace("module.", ""): value for key, value in trained.state_dict().items()}
    torch.save(state, path)
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device)

# %% model_not_moved
# finding: model-elsewhere
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare.state_dict(), path)
    model.load_state_dict(torch.load(path, map_location=device))
    return model

# %% the_whole_model
# finding: whole-model
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare, path)
    model.load_state_dict(torch.load(path, map_location="cpu").state_dict())
    return model.to(device)

# %% without_a_file
# finding: no-state-dict
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    model.load_state_dict(bare.state_dict())
    return model.to(device)

# %% a_front_of_its_own
# finding: other-keys
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save({f"net.{key}": value for key, value in bare.state_dict().items()}, path)
    state = torch.load(path, map_location="cpu")
    model.load_state_dict({key[4:]: value for key, value in state.items()})
    return model.to(device)

# %% state_dict_returned
# finding: other-model
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare.state_dict(), path)
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state)
    model.to(device)
    return state

# %% trained_moved
# finding: trained-changed
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare.cpu().state_dict(), path)
    model.load_state_dict(torch.load(path))
    return model.to(device)

# %% nothing_returned
# finding: nothing-returned
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare.state_dict(), path)
    model.load_state_dict(torch.load(path, map_location="cpu"))
    model.to(device)

# %% never_read
# finding: file-not-read
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare.state_dict(), path)
    model.load_state_dict(bare.state_dict())
    return model.to(device)

# %% the_trained_one_returned
# finding: other-model
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare.state_dict(), path)
    return bare.to(device)

# %% the_whole_model_with_its_code
# finding: other-model
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare, path)
    return torch.load(path, map_location=device, weights_only=False)

# %% report_returned
# finding: other-model
import torch
from torch import nn


def weights(trained, path, model, device):
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare.state_dict(), path)
    return model.load_state_dict(torch.load(path, map_location="cpu"))

# %% name_of_the_part
# finding: keys-do-not-fit
import torch


def weights(trained, path, model, device):
    torch.save(getattr(trained, "module", trained).state_dict(), path)
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device)
