"""Judges of assignment 09, "Feeding the GPU"."""

from course_utils.checking.contract import Judge
from course_utils.judging.feeding.check_loader import CheckLoader
from course_utils.judging.feeding.epoch_time import EpochTime
from course_utils.judging.feeding.predict_copy import PredictCopy
from course_utils.judging.feeding.prefetch import Prefetch
from course_utils.judging.feeding.read_worker_error import ReadWorkerError
from course_utils.judging.feeding.spawnable import Spawnable
from course_utils.judging.feeding.varied_noise import VariedNoise

JUDGES: dict[str, Judge] = {
    judge.name: judge
    for judge in (
        CheckLoader(),
        EpochTime(),
        Prefetch(),
        PredictCopy(),
        Spawnable(),
        VariedNoise(),
        ReadWorkerError(),
    )
}
