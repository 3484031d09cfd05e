"""The sandbox that a run gets: the best one that really holds here, or a refusal."""

from course_utils.errors import CourseError
from course_utils.grading.sandbox import Level, probe

GUIDE = "site/guides/instructors.md"


def level_or_refuse(minimum: Level) -> Level:
    """Raises CourseError, with what was lacking, if the machine gives less than `minimum`."""
    probed = probe()
    if probed.level < minimum:
        lacks = " ".join(probed.lacks)
        raise CourseError(
            f"Submissions would run at the level {probed.level.name}, and {minimum.name} is asked "
            f"for: {lacks} Grade on another computer, or accept less with `--minimum "
            f"{probed.level.name.lower()}`; the table in section 2 of {GUIDE} says what each level "
            "keeps in."
        )
    return probed.level


def level_called(name: str) -> Level:
    """The level of a name such as "no_cgroups". Raises CourseError if there is none."""
    try:
        return Level[name.upper()]
    except KeyError:
        names = ", ".join(level.name.lower() for level in reversed(Level))
        raise CourseError(f"There is no sandbox called {name!r}: choose one of {names}.") from None


def describe_sandbox() -> str:
    """The level that this machine gives, and what each better one lacked."""
    probed = probe()
    return "\n".join((f"Submissions run at the level {probed.level.name} here.", *probed.lacks))
