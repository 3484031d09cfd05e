"""Observers of assignment 07, "DataParallel"."""

from course_utils.checking.contract import Observer
from course_utils.exercises.parallel.answers import (
    CheckWrap,
    FinishTime,
    PredictWrap,
    ReadParallelError,
    SplitSizes,
    StepOrder,
)
from course_utils.exercises.parallel.parallel_forward import ParallelForward

OBSERVERS: dict[str, Observer] = {
    observer.name: observer
    for observer in (
        FinishTime(),
        SplitSizes(),
        CheckWrap(),
        ParallelForward(),
        PredictWrap(),
        StepOrder(),
        ReadParallelError(),
    )
}
