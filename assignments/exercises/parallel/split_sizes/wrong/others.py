# %% a_string
# finding: other-form
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    return ", ".join(str(min(part, shape[dim] - i)) for i in range(0, shape[dim], part))

# %% always_the_second
# finding: other-dimension
def split_sizes(shape, gpus, dim):
    length = shape[-1] if dim else shape[0]
    part = -(-length // gpus)
    return [min(part, length - start) for start in range(0, length, part)]

# %% divided
# finding: samples-divided
def split_sizes(shape, gpus, dim):
    return [shape[dim] / gpus] * gpus

# %% empty_last_part
# finding: empty-part
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    whole, rest = divmod(shape[dim], part)
    return [part] * whole + [rest]

# %% last_part_dropped
# finding: all-equal
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    return [part] * (shape[dim] // part)

# %% length_of_a_part
# finding: more-parts-than-gpus
def split_sizes(shape, gpus, dim):
    part = max(1, shape[dim] // gpus)
    return [min(part, shape[dim] - start) for start in range(0, shape[dim], part)]

# %% printed
# finding: nothing-returned
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    print([min(part, shape[dim] - start) for start in range(0, shape[dim], part)])

# %% rounded_to_nearest
# finding: rest-on-the-last
def split_sizes(shape, gpus, dim):
    part = max(1, round(shape[dim] / gpus))
    sizes = [part] * (gpus - 1)
    return [*sizes, shape[dim] - sum(sizes)]

# %% rounded_up_for_all
# finding: all-equal
def split_sizes(shape, gpus, dim):
    return [-(-shape[dim] // gpus)] * gpus

# %% shapes_as_tuples
# finding: shapes-not-sizes
import torch


def split_sizes(shape, gpus, dim):
    return [tuple(part.shape) for part in torch.zeros(shape).chunk(gpus, dim)]

# %% short_part_first
# finding: other-split
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    return sorted(min(part, shape[dim] - start) for start in range(0, shape[dim], part))

# %% whole_shapes
# finding: shapes-not-sizes
import torch


def split_sizes(shape, gpus, dim):
    return [part.shape for part in torch.zeros(shape).chunk(gpus, dim)]

# %% rounded_down_for_all
# finding: all-equal
def split_sizes(shape, gpus, dim):
    return [shape[dim] // gpus] * gpus
