# %% as_it_was
# finding: left-behind
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean
        self.layers = [nn.Linear(3, 3)]
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% buffer_on_the_cpu
# finding: copied-in-forward
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("mean", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        mean = self.mean.cpu().to(batch.device)
        return self.head(self.layers[0](batch - mean))


def classifier(mean):
    return Classifier(mean)

# %% current_gpu
# finding: left-behind
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean.cuda()
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% frozen_parameter
# finding: mean-trained
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = nn.Parameter(mean, requires_grad=False)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% layers_renamed
# finding: other-layers
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("mean", mean)
        self.blocks = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.blocks[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% mean_added
# finding: other-result
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("mean", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch + self.mean))


def classifier(mean):
    return Classifier(mean)

# %% mean_left
# finding: left-behind
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% moved_by_the_function
# finding: begins-on-a-gpu
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("mean", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean).to("cuda:0")

# %% name_forgotten
# finding: call-fails
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("average", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% none_assigned
# finding: none-used
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = self.register_buffer("mean", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% not_persistent
# finding: not-saved
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("mean", mean, persistent=False)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% one_layer_more
# finding: other-layers
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("mean", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% other_name
# finding: not-saved
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("average", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.average))


def classifier(mean):
    return Classifier(mean)

# %% the_class_itself
# finding: other-form
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean
        self.layers = [nn.Linear(3, 3)]
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier

# %% assigned_and_registered
# finding: assigned-before
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean
        self.register_buffer("mean", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% to_without_a_result
# finding: to-returns-nothing
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("mean", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def to(self, *args, **kwargs):
        super().to(*args, **kwargs)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)

# %% both_moved_in_forward
# finding: layer-unknown
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean
        self.layers = [nn.Linear(3, 3)]
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        layer = self.layers[0].to(batch.device)
        return self.head(layer(batch - self.mean.to(batch.device)))


def classifier(mean):
    return Classifier(mean)
