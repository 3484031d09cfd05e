"""Observers of assignment 02, "Tensors on devices"."""

from course_utils.checking.contract import Observer
from course_utils.exercises.tensors.additions import AddOn, Cheapest
from course_utils.exercises.tensors.move_batch import MoveBatch
from course_utils.exercises.tensors.positional import Positional
from course_utils.exercises.tensors.predict_to import PredictTo
from course_utils.exercises.tensors.read_error import ReadError
from course_utils.exercises.tensors.shares_storage import SharesStorage
from course_utils.exercises.tensors.timing import MeasuredTime, TimingOrder

OBSERVERS: dict[str, Observer] = {
    observer.name: observer
    for observer in (
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
