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
# finding: a-number
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

# %% shares_of_the_loss_alone
# finding: other-gradients
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts, wanted = scatter(batch, devices), scatter(targets, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    shares = [len(part) / len(batch) for part in parts]
    losses = [nn.functional.mse_loss(*pair) for pair in zip(outputs, wanted, strict=True)]
    mean = sum((loss * part).to(devices[0]) for loss, part in zip(losses, shares, strict=True))
    equal = gather([loss.reshape(1) for loss in losses], devices[0]).mean()
    return equal + (mean - equal).detach()

# %% mean_of_weighted_losses
# finding: divided-once-more
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts, wanted = scatter(batch, devices), scatter(targets, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    losses = [
        nn.functional.mse_loss(out, y) * len(y) / len(batch)
        for out, y in zip(outputs, wanted, strict=True)
    ]
    return gather([loss.reshape(1) for loss in losses], devices[0]).mean()

# %% losses_on_their_gpus
# finding: devices-mixed
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts, wanted = scatter(batch, devices), scatter(targets, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    losses = [nn.functional.mse_loss(*pair) for pair in zip(outputs, wanted, strict=True)]
    return sum(loss * len(y) / len(batch) for loss, y in zip(losses, wanted, strict=True))

# %% numbers_added
# finding: a-number
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts, wanted = scatter(batch, devices), scatter(targets, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    losses = [nn.functional.mse_loss(*pair) for pair in zip(outputs, wanted, strict=True)]
    return sum(loss.item() * len(y) / len(batch) for loss, y in zip(losses, wanted, strict=True))

# %% numbers_added_up
# finding: losses-added-up
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts, wanted = scatter(batch, devices), scatter(targets, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    losses = [nn.functional.mse_loss(*pair) for pair in zip(outputs, wanted, strict=True)]
    return sum(loss.item() for loss in losses)

# %% a_replica_for_every_gpu
# finding: more-replicas-than-parts
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts = scatter(batch, devices)
    outputs = parallel_apply(replicate(model, devices), parts)
    return nn.functional.mse_loss(gather(outputs, devices[0]), targets.to(devices[0]))

# %% the_wrapper_itself
# finding: wrapper-used
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    outputs = nn.DataParallel(model, devices)(batch)
    return nn.functional.mse_loss(outputs, targets.to(devices[0]))
