"""Judges of assignment 10, "Saving and loading"."""

from course_utils.checking.contract import Judge
from course_utils.judging.saving.clean_keys import CleanKeys
from course_utils.judging.saving.explain_load_error import ExplainLoadError
from course_utils.judging.saving.load_anywhere import LoadAnywhere
from course_utils.judging.saving.predict_map import PredictMap
from course_utils.judging.saving.read_load_error import ReadLoadError
from course_utils.judging.saving.save_checkpoint import SaveCheckpoint

JUDGES: dict[str, Judge] = {
    judge.name: judge
    for judge in (
        LoadAnywhere(),
        CleanKeys(),
        ExplainLoadError(),
        SaveCheckpoint(),
        ReadLoadError(),
        PredictMap(),
    )
}
