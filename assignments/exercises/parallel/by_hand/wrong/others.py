# %% detached
# finding: gradients-lost
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts = scatter(batch, devices)
    replicas = replicate(model, devices[: len(parts)], detach=True)
    outputs = parallel_apply(replicas, parts)
    return nn.functional.mse_loss(gather(outputs, devices[0]), targets.to(devices[0]))

# %% a_number
# finding: loss-elsewhere
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts = scatter(batch, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    return nn.functional.mse_loss(gather(outputs, devices[0]), targets.to(devices[0])).item()

# %% on_the_last_gpu
# finding: loss-elsewhere
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts = scatter(batch, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    return nn.functional.mse_loss(gather(outputs, devices[-1]), targets.to(devices[-1]))

# %% backward_inside
# finding: backward-called
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts = scatter(batch, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    loss = nn.functional.mse_loss(gather(outputs, devices[0]), targets.to(devices[0]))
    loss.backward(retain_graph=True)
    return loss

# %% mean_over_samples
# finding: other-loss
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts = scatter(batch, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    wanted = targets.to(devices[0])
    return nn.functional.mse_loss(gather(outputs, devices[0]), wanted, reduction="sum") / len(batch)

# %% twice
# finding: other-parts
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    model(batch.to(devices[0]))
    parts = scatter(batch, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    return nn.functional.mse_loss(gather(outputs, devices[0]), targets.to(devices[0]))
