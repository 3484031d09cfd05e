# %% cleared_in_each_round
# finding: gradients-cleared
from torch import nn


def in_parts(model, images, targets, parts):
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts)):
        model.zero_grad()
        loss = nn.functional.cross_entropy(model(some), wanted, reduction="sum")
        (loss / len(images)).backward()

# %% cleared_at_the_start
# finding: gradients-cleared
from torch import nn


def in_parts(model, images, targets, parts):
    model.zero_grad()
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts)):
        loss = nn.functional.cross_entropy(model(some), wanted, reduction="sum")
        (loss / len(images)).backward()

# %% remainder_dropped
# finding: samples-left-out
from torch import nn


def in_parts(model, images, targets, parts):
    size = len(images) // parts
    for number in range(parts):
        some = images[number * size : (number + 1) * size]
        wanted = targets[number * size : (number + 1) * size]
        loss = nn.functional.cross_entropy(model(some), wanted, reduction="sum")
        (loss / len(images)).backward()

# %% sums_added
# finding: sum-not-mean
from torch import nn


def in_parts(model, images, targets, parts):
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts)):
        nn.functional.cross_entropy(model(some), wanted, reduction="sum").backward()

# %% parts_of_that_size
# finding: other-parts
from torch import nn


def in_parts(model, images, targets, parts):
    for some, wanted in zip(images.split(parts), targets.split(parts)):
        loss = nn.functional.cross_entropy(model(some), wanted, reduction="sum")
        (loss / len(images)).backward()

# %% shares_of_the_parts
# finding: other-gradients
from torch import nn


def in_parts(model, images, targets, parts):
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts)):
        loss = nn.functional.cross_entropy(model(some), wanted)
        (loss * len(some) / parts).backward()

# %% divided_afterwards
# finding: old-gradients-divided
from torch import nn


def in_parts(model, images, targets, parts):
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts)):
        nn.functional.cross_entropy(model(some), wanted, reduction="sum").backward()
    for parameter in model.parameters():
        parameter.grad.div_(len(images))

# %% all_at_once
# finding: parts-kept
from torch import nn


def in_parts(model, images, targets, parts):
    nn.functional.cross_entropy(model(images), targets).backward()
