"""Observers of assignment 09, "Feeding the GPU"."""

from course_utils.checking.contract import Observer
from course_utils.exercises.feeding.one_call import (
    CheckLoader,
    EpochTime,
    PredictCopy,
    ReadWorkerError,
)
from course_utils.exercises.feeding.prefetch import Prefetch
from course_utils.exercises.feeding.spawnable import Spawnable
from course_utils.exercises.feeding.varied_noise import VariedNoise

OBSERVERS: dict[str, Observer] = {
    observer.name: observer
    for observer in (
        CheckLoader(),
        EpochTime(),
        Prefetch(),
        PredictCopy(),
        Spawnable(),
        VariedNoise(),
        ReadWorkerError(),
    )
}
