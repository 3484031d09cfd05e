"""Judges of assignment 07, "DataParallel"."""

from course_utils.checking.contract import Judge
from course_utils.judging.parallel.check_wrap import CheckWrap
from course_utils.judging.parallel.finish_time import FinishTime
from course_utils.judging.parallel.parallel_forward import ParallelForward
from course_utils.judging.parallel.predict_wrap import PredictWrap
from course_utils.judging.parallel.read_parallel_error import ReadParallelError
from course_utils.judging.parallel.split_sizes import SplitSizes
from course_utils.judging.parallel.step_order import StepOrder

JUDGES: dict[str, Judge] = {
    judge.name: judge
    for judge in (
        FinishTime(),
        SplitSizes(),
        CheckWrap(),
        ParallelForward(),
        PredictWrap(),
        StepOrder(),
        ReadParallelError(),
    )
}
