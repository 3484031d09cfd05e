# ==== a_copy_beside
# happened = "An older copy lies beside the notebook."
# %% tamper
(folder / "02_tensors-Copy1.ipynb").write_text("{}")


# ==== a_hole_of_a_terabyte
# happened = "A file of a terabyte, which takes no room on the disk, lies beside the notebook."
# points = {all = "held"}
# says = ["is larger than 20 MB: ask for a smaller one"]
# %% tamper
import os

(folder / "weights.pt").touch()
os.truncate(folder / "weights.pt", 1 << 40)


# ==== a_link_beside
# happened = "A link to the gradebook lies beside the notebook."
# points = {all = "held"}
# says = ["is a link: ask for the file itself"]
# %% tamper
(folder / "data.db").symlink_to(folder.parents[2] / "gradebook.db")


# ==== a_link_without_end
# happened = "A link to an endless device lies beside the notebook."
# points = {all = "held"}
# says = ["is a link: ask for the file itself"]
# %% tamper
(folder / "data.bin").symlink_to("/dev/zero")


# ==== a_pipe_beside
# happened = "A named pipe, at which any reader waits, lies beside the notebook."
# points = {all = "held"}
# says = ["is not a regular file: ask for the file itself"]
# %% tamper
import os

os.mkfifo(folder / "data.txt")


# ==== a_second_version_beside
# happened = "A second version, with an answer more, lies beside the notebook."
# points = {fix_mismatch = 0}
# says = ["Not graded, but may contain other answers: 02_tensors_v2.ipynb."]
# %% tamper
import json
from tests.grading.courses import filled_in, references

(folder / "02_tensors_v2.ipynb").write_text(json.dumps(notebook))
(folder / "01_machine.ipynb").write_text(json.dumps(filled_in("01_machine", references("01_machine"))))
answers = references("02_tensors")
del answers["fix_mismatch"]
notebook.update(filled_in("02_tensors", answers))


# ==== a_stub_beside_the_work
# happened = "The notebook was fetched once more; all the work is in the copy beside it."
# points = {all = "held"}
# says = ["02_tensors.ipynb has no answer, but there is also 02_tensors-Copy1.ipynb:"]
# %% tamper
import json
from tests.grading.courses import filled_in

(folder / "02_tensors-Copy1.ipynb").write_text(json.dumps(notebook))
notebook.update(filled_in("02_tensors", {}))


# ==== a_stub_beside_what_cannot_be_read
# happened = "Beside an untouched notebook lies one that is cut off, in a folder."
# points = {all = "held"}
# says = ["has no answer, but there is also mine/tensors final.ipynb:"]
# %% tamper
import json
from tests.grading.courses import filled_in

(folder / "mine").mkdir()
(folder / "mine" / "tensors final.ipynb").write_text(json.dumps(notebook)[:5000])
notebook.update(filled_in("02_tensors", {}))


# ==== checkpoints
# happened = "Jupyter's own folder of checkpoints was handed in as well."
# %% tamper
(folder / ".ipynb_checkpoints").mkdir()
(folder / ".ipynb_checkpoints" / "02_tensors-checkpoint.ipynb").write_text("{}")


# ==== files_of_its_own
# happened = "A cell reads a file that lies beside the notebook, and an answer imports one."
# flagged = true
# %% before fix_mismatch
from pathlib import Path

from helpers import mean_of

FACTOR = int(Path("data/factor.txt").read_text())

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    mean, errors = mean.to(device), []
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        errors.append((error * error).mean())
    return mean_of(errors, FACTOR)

# %% tamper
(folder / "data").mkdir()
(folder / "data" / "factor.txt").write_text("1\n")
(folder / "helpers.py").write_text(
    "import torch\n\n\ndef mean_of(errors, factor):\n    return torch.stack(errors).mean() * factor\n")


# ==== many_files
# happened = "More files lie beside the notebook than a sandbox takes."
# points = {all = "held"}
# says = ["has more than 4000 files or 20 MB besides its notebook"]
# %% tamper
for number in range(4001):
    (folder / f"{number}.txt").write_text("")


# ==== shadowed_torch
# happened = "Files called torch.py and json.py lie beside the notebook."
# %% tamper
for name in ("torch.py", "json.py", "course_utils.py"):
    (folder / name).write_text("raise SystemExit\n")


# ==== two_notebooks
# happened = "There are two notebooks, and none has the assignment's name."
# points = {all = "held"}
# says = ["has no 02_tensors.ipynb among its notebooks"]
# %% tamper
import json

file = ""
for name in ("final.ipynb", "final_final.ipynb"):
    (folder / name).write_text(json.dumps(notebook))
