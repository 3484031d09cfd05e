"""The explorers: figures that `course_utils.explore` shows below the fields that change them."""

from course_utils.errors import CourseError
from course_utils.figures.picture import Picture
from course_utils.forms.explorer import explorer
from course_utils.forms.fields import Slider, TextField
from lesson_parts.lesson02.waits import wait_lanes
from lesson_parts.lesson07.curves import speedup_curve
from lesson_parts.lesson07.speedups import Costs
from lesson_parts.visibility import sight_of, visible_map
from virtual_cuda import DeviceProfile

VARIABLE = "CUDA_VISIBLE_DEVICES"


@explorer(
    "waits",
    "When is the GPU idle? A loop of six steps reads its loss.",
    Slider("every", "Read the loss after every … steps", 1, 6, value=1),
)
def waits(every: int) -> Picture:
    """A picture of the work of program and GPU."""
    return wait_lanes(every=every)


@explorer(
    "visible",
    f"Which cards does a process see? Type the value of `{VARIABLE}`.",
    TextField("setting", f"`{VARIABLE}`", "2,0"),
    Slider("cards", "Cards in the computer", 1, 8, value=4),
)
def visible(setting: str, cards: int) -> Picture:
    """A picture of a computer with `cards` equal cards, and of those that a process sees."""
    try:  # as torch reads the variable
        seen = sight_of(f"{VARIABLE}={setting}", [DeviceProfile(1 << 30, "Virtual GPU")] * cards)
    except ValueError:
        raise CourseError(
            f"torch cannot read {setting!r}. Write the numbers of cards, with commas between them."
        ) from None
    return visible_map(seen)


@explorer(
    "speedup",
    "When are several GPUs faster than one? Computed from three costs of a training step.",
    Slider("batch", "Batch size", 8, 4096, step=8, value=512),
    Slider("gpus", "GPUs", 2, 8, value=4),
    Slider("sample", "A GPU computes one sample in", 0.5, 20.0, step=0.5, value=2.0, unit="µs"),
    Slider(
        "launch",
        "The host launches the work of one GPU in",
        50,
        1000,
        step=50,
        value=300,
        unit="µs",
    ),
    Slider(
        "exchange",
        "Parameters and gradients of one more GPU take",
        0,
        1000,
        step=50,
        value=200,
        unit="µs",
    ),
)
def speedup(batch: int, gpus: int, sample: float, launch: float, exchange: float) -> Picture:
    """A picture of the speed-up of a step against the batch size, with one batch size marked."""
    costs = Costs(sample=sample, launch=launch, exchange=exchange)
    sizes = sorted({*(2**power for power in range(3, 13)), batch})
    return speedup_curve(
        {gpus: {size: costs.speedup(size, gpus) for size in sizes}},
        title=f"{batch} samples on {gpus} GPUs",
        source="computed",
        mark=(gpus, batch),
    )
