"""What the observers of this topic share: places as facts."""

from itertools import chain


def places(module):
    """Name and device of every parameter, then of every buffer."""
    tensors = chain(module.named_parameters(), module.named_buffers())
    return [[name, str(tensor.device)] for name, tensor in tensors]
