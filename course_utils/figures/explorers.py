"""The figures that move: `explore(key)` shows one below the fields that move it."""

import os

from course_utils.errors import CourseError
from course_utils.experiments.children import Sight
from course_utils.experiments.epochs import play_epoch
from course_utils.experiments.speedups import Costs
from course_utils.figures.curves import speedup_curve
from course_utils.figures.nvidia_smi import SYSTEMS, fields, smi_map
from course_utils.figures.picture import Picture
from course_utils.figures.pipelines import epoch_chart
from course_utils.figures.visibility import visible_map
from course_utils.forms.explorer import explorer, find_explorer
from course_utils.forms.fields import Answer, Choice, Entry, Slider
from course_utils.forms.form import Form, Reply
from virtual_cuda import DeviceProfile
from virtual_cuda.hardware.visibility import visible_cards

VARIABLE = "CUDA_VISIBLE_DEVICES"


def explore(key: str, **values: Answer) -> Form | Reply | None:
    """Show the explorer `key`: its fields, and its picture. With `values`, the picture alone.

    Raises CourseError if there is no such explorer, or a field does not take its value.
    """
    form = find_explorer(key).answered(values)
    return form.reply if values else form


@explorer(
    "smi",
    "What do the fields of `nvidia-smi` say? Move the slider from field to field.",
    Slider("field", "Field", 1, len(fields()), value=15),
    Choice("system", "System", SYSTEMS, "Linux"),
)
def smi(field: int, system: str) -> Picture:
    """The table on a system, with one field marked and explained."""
    return smi_map(system, field)


@explorer(
    "visible",
    f"Which cards does a process see? Type what `{VARIABLE}` says.",
    Entry("setting", f"`{VARIABLE}`", "2,0"),
    Slider("cards", "Cards in the computer", 1, 8, value=4),
)
def visible(setting: str, cards: int) -> Picture:
    """A computer with `cards` equal cards, and what a process sees of them."""
    seen = _visible_cards(setting, cards)
    return visible_map(Sight(f'{VARIABLE}="{setting}"', ("Virtual GPU",) * cards, seen))


def _visible_cards(setting: str, cards: int) -> tuple[int, ...]:
    """The cards that CUDA would number; torch's own reading of the variable says so."""
    before = os.environ.get(VARIABLE)
    try:
        os.environ[VARIABLE] = setting
        return visible_cards([DeviceProfile(1 << 30)] * cards)
    except ValueError:
        raise CourseError(
            f"torch cannot read {setting!r}: write the numbers of cards, with commas between them."
        ) from None
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before


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
    """The speed-up of a step against the batch size, and that of one batch."""
    costs = Costs(sample=sample, launch=launch, exchange=exchange)
    sizes = sorted({*(2**power for power in range(3, 13)), batch})
    return speedup_curve(
        {gpus: {size: costs.speedup(size, gpus) for size in sizes}},
        title=f"{batch} samples on {gpus} GPUs",
        source="computed",
        mark=(gpus, batch),
    )


@explorer(
    "epoch",
    "How long is an epoch of 16 batches? Computed, for as many CPUs as workers.",
    Slider("workers", "`num_workers`", 0, 6, value=0),
    Slider("load", "Loading a batch takes", 10, 200, step=10, value=90, unit="ms"),
    Slider("compute", "A training step takes", 10, 200, step=10, value=30, unit="ms"),
    Slider("slow", "Every fourth batch takes … times as long", 1, 6, value=1),
    Slider("prefetch", "`prefetch_factor`", 1, 4, value=2),
)
def epoch(workers: int, load: int, compute: int, slow: int, prefetch: int) -> Picture:
    """Who loads which batch, and when the GPU waits."""
    loads = [load * (slow if number % 4 == 3 else 1) for number in range(16)]
    return epoch_chart(play_epoch(loads, compute, workers, prefetch), title="16 batches")
