"""Observers of assignment 10, "Saving and loading"."""

from course_utils.checking.contract import Observer
from course_utils.exercises.saving.keys import CleanKeys, ExplainLoadError
from course_utils.exercises.saving.load_anywhere import LoadAnywhere
from course_utils.exercises.saving.reading import PredictMap, ReadLoadError
from course_utils.exercises.saving.save_checkpoint import SaveCheckpoint

OBSERVERS: dict[str, Observer] = {
    observer.name: observer
    for observer in (
        LoadAnywhere(),
        CleanKeys(),
        ExplainLoadError(),
        SaveCheckpoint(),
        ReadLoadError(),
        PredictMap(),
    )
}
