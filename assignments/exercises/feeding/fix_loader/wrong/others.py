# %% a_list_of_batches
# finding: other-form
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return [model(batch.to(device) - mean) for batch in loader]

# %% brought_back_by_the_worker
# finding: gpu-in-a-worker
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode, mean):
        self.names, self.decode, self.mean = names, decode, mean

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index]) - self.mean.cpu()


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode, mean), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return torch.cat([model(batch.to(device)) for batch in loader])

# %% by_way_of_the_current_gpu
# finding: copied-too-often
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return torch.cat([model(batch.cuda().to(device) - mean) for batch in loader])

# %% decoded_beforehand
# finding: other-workers
import torch
from torch.utils.data import DataLoader


def fix_loader(names, decode, mean, model, device):
    pictures = [decode(name) for name in names]
    loader = DataLoader(pictures, batch_size=4, num_workers=2, multiprocessing_context="fork")
    return torch.cat([model(batch.to(device) - mean) for batch in loader])

# %% everything_at_once
# finding: all-at-once
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return model(torch.cat(list(loader)).to(device) - mean)

# %% last_batch_dropped
# finding: other-form
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode),
        batch_size=4,
        num_workers=2,
        multiprocessing_context="fork",
        drop_last=True,
    )
    return torch.cat([model(batch.to(device) - mean) for batch in loader])

# %% mean_back_in_every_step
# finding: copied-back
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return torch.cat([model((batch - mean.cpu()).to(device)) for batch in loader])

# %% mean_back_once
# finding: copied-back
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    mean = mean.cpu()
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return torch.cat([model((batch - mean).to(device)) for batch in loader])

# %% mean_forgotten
# finding: other-result
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return torch.cat([model(batch.to(device)) for batch in loader])

# %% no_return
# finding: nothing-returned
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    torch.cat([model(batch.to(device) - mean) for batch in loader])

# %% on_the_cpu
# finding: wrong-device
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    model, mean = model.cpu(), mean.cpu()
    return torch.cat([model(batch - mean) for batch in loader])

# %% one_worker
# finding: other-workers
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=1, multiprocessing_context="fork"
    )
    return torch.cat([model(batch.to(device) - mean) for batch in loader])

# %% only_the_model_sees_the_gpu
# finding: devices-met
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return torch.cat([model((batch - mean).to(device)) for batch in loader])

# %% shuffled
# finding: other-result
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), 4, True, num_workers=2, multiprocessing_context="fork"
    )
    return torch.cat([model(batch.to(device) - mean) for batch in loader])

# %% spawned
# finding: dataset-not-sent
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="spawn"
    )
    return torch.cat([model(batch.to(device) - mean) for batch in loader])
