"""The explorers: figures that `course_utils.explore` shows below the fields that change them."""

from course_utils.errors import CourseError
from course_utils.figures.picture import Picture
from course_utils.forms.explorer import explorer
from course_utils.forms.fields import Field, RadioButtons, Slider, TextField
from lesson_parts.lesson02.waits import wait_lanes
from lesson_parts.own_gpu import own_gpus
from lesson_parts.visibility import sight_of, visible_map
from virtual_cuda import DeviceProfile

VARIABLE = "CUDA_VISIBLE_DEVICES"


def own_times() -> list[Field]:
    """The choice between modelled times and the reader's own; empty without an own GPU."""
    names = own_gpus()
    label = f"Times: modelled, or measured on your {names[0]}" if names else ""
    return [RadioButtons("times", label, ("modelled", "mine"), "modelled")] if names else []


@explorer(
    "waits",
    "When is the GPU idle? Two loops of six steps read their losses.",
    Slider("every", "The second loop reads its loss after every … steps", 1, 6, value=6),
    *own_times(),
)
def waits(every: int, times: str = "modelled") -> Picture:
    """A picture of the work of program and GPU. Of the reader's own, all are measured at once."""
    return wait_lanes(every=every, mine=times == "mine")


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
