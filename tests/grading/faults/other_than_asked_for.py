# ==== a_folder_called_like_it
# happened = "A folder has the notebook's name."
# points = {all = "held"}
# says = ["is not a regular file"]
# %% tamper
file = ""
(folder / "02_tensors.ipynb").mkdir()


# ==== a_folder_too_deep
# happened = "The notebook lies in a folder of the same name."
# %% tamper
import json

file = ""
(folder / "02_tensors").mkdir()
(folder / "02_tensors" / "02_tensors.ipynb").write_text(json.dumps(notebook))


# ==== a_link_for_a_notebook
# happened = "The notebook is a link to one elsewhere."
# points = {all = "held"}
# says = ["is a link"]
# %% tamper
file = ""
(folder / "02_tensors.ipynb").symlink_to("/etc/hostname")


# ==== a_page_instead
# happened = "The browser saved the page that shows the notebook."
# points = {all = "held"}
# says = ["is not a notebook"]
# %% tamper
raw = b"<!DOCTYPE html><html><body>02_tensors</body></html>"


# ==== an_older_release
# happened = "The student worked on a release without one of the exercises."
# points = {move_batch = "held"}
# says = ["another version of the assignment"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if not c["id"].startswith("move_batch")]


# ==== another_assignment
# happened = "The notebook of another assignment was handed in."
# points = {all = "held"}
# says = ["fix_mismatch could not be matched", "or another notebook: ask for the right one"]
# %% tamper
from courses import filled_in, references

notebook = filled_in("03_modules", references("03_modules"))


# ==== another_kernel
# happened = "The notebook asks for a kernel of R."
# %% tamper
notebook["metadata"]["kernelspec"] = {"name": "ir", "display_name": "R", "language": "R"}


# ==== called_otherwise
# happened = "The notebook has another name, as a browser gives a second download."
# %% tamper
file = "02_tensors (1).ipynb"


# ==== names_of_an_earlier_version
# happened = "The answers were written in version 0.2, where the exercise was called mend_mismatch."
# %% tamper
for cell in notebook["cells"]:
    cell["id"] = cell["id"].replace("fix_mismatch", "mend_mismatch")
    cell["source"] = cell["source"].replace("fix_mismatch", "mend_mismatch")
    if "nbgrader" in cell["metadata"]:
        cell["metadata"]["nbgrader"]["grade_id"] = cell["id"]


# ==== no_notebook
# happened = "A PDF was handed in."
# points = {all = "held"}
# says = ["has no notebook"]
# %% tamper
file = ""
(folder / "02_tensors.pdf").write_bytes(b"%PDF-1.7")
