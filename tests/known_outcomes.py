"""The outcomes of the known answers of an exercise in the cases that fit on so many GPUs."""

from course_utils.checking.exercises import exercise
from course_utils.devices import lab
from exercise_kit.corpus import known_answers, load_answer
from exercise_kit.engine import examine
from exercise_kit.outcomes import outcome_name
from exercise_kit.reference import reference
from exercise_kit.runner import Runner


def outcomes(name: str, gpus: int) -> dict[str, str]:
    """The name of the outcome of each known answer, such as "passed" or a finding.

    The process has so many GPUs, and computes nothing else.
    """
    lab(gpus=gpus)
    known = exercise(name)
    sources = {"the reference": reference(known.path)}
    for kind in ("accepted", "wrong"):
        sources |= {f"{kind} {a.name}": a.source for a in known_answers(known.path, kind)}
    found = {}
    cases = [*known.fitting(gpus).values()]
    for title, source in sources.items():
        run = Runner(known.observer, load_answer(source, known.short, title), known.world)
        found[title] = outcome_name(examine(name, known.judge, run, cases).outcome)
    return found
