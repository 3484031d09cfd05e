"""What the judges of this topic share: errors, and how they are told; and tensors."""

from course_utils.checking.drawing import nested, tensor
from exercise_kit.contract import Raises

# Only modules are called so here, and no tensor, list or tuple lacks a device under these names.
NO_DEVICE = tuple(
    Raises("no-device-attribute", "AttributeError", f"'{kind}' object has no attribute 'device'")
    for kind in ("Module", "Linear", "Shift", "ReLU", "Sequential")
)


def two_devices(text):
    """Whether an error is one of those that tensors on two devices raise."""
    return any(word in text for word in ("same device", "should be the same", "Input type ("))


def quarters(rng, device, shape):
    """A described tensor of whole numbers of quarters, which every sum keeps exact."""
    return tensor(nested(shape, lambda: rng.randint(1, 12) / 4), device)
