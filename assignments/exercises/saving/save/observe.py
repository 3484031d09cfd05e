"""Observe `save` and `resume` in train.py: runs that are stopped, and those that go on."""

import re

from course_utils.program.observer import HoleObserver

_EPOCH = re.compile(r"^epoch (\d+):", re.MULTILINE)


class SaveAndResume(HoleObserver):
    """Facts: `error`, the first in any run; for each run `ends` and `begins`, the first epoch that
    it finished; and in the end `file`, whether there is a checkpoint, its `epochs`, `steps` and
    `weights`."""

    def look(self, folder, runs, data):
        seen = super().look(folder, runs, data)
        return {
            "error": next((run.error for run in runs if run.error), None),
            "ends": ["an error code" if run.end == 1 else run.end for run in runs],
            "begins": [_first(run.printed) for run in runs],
            "file": "a checkpoint" if "epochs" in seen else seen["weights"],
            **{name: seen[name] for name in ("epochs", "steps", "weights") if "epochs" in seen},
        }


def _first(printed):
    """The first epoch that a run tells of; 0 if it finished none."""
    found = _EPOCH.search(printed)
    return int(found[1]) if found else 0


observer = SaveAndResume("saving.save")
