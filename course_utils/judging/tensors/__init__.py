"""Judges of assignment 02, "Tensors on devices"."""

from course_utils.checking.contract import Judge
from course_utils.judging.tensors.add_on import AddOn
from course_utils.judging.tensors.cheapest import Cheapest
from course_utils.judging.tensors.measured_time import MeasuredTime
from course_utils.judging.tensors.move_batch import MoveBatch
from course_utils.judging.tensors.positional import Positional
from course_utils.judging.tensors.predict_to import PredictTo
from course_utils.judging.tensors.read_error import ReadError
from course_utils.judging.tensors.shares_storage import SharesStorage
from course_utils.judging.tensors.timing_order import TimingOrder

JUDGES: dict[str, Judge] = {
    judge.name: judge
    for judge in (
        MoveBatch(),
        Positional(),
        PredictTo(),
        SharesStorage(),
        AddOn(),
        Cheapest(),
        ReadError(),
        TimingOrder(),
        MeasuredTime(),
    )
}
