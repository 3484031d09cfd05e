# ==== all_checks_deleted
# happened = "The student deleted every test cell."
# says = ["Edited or deleted, and put back as released"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if not c["id"].endswith("_check")]


# ==== answer_below
# happened = "The stub stands in its place, and the answer in a cell further down."
# says = ["Found in another cell"]
# %% fix_mismatch
import torch


def fix_mismatch(batches, targets, weight, mean):
    """Return the mean squared error over all batches, on the device of `weight`."""
    # YOUR CODE HERE
    raise NotImplementedError()
    # Delete the line above. The program to fix is below.
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device)
        error = (batch - mean) @ weight - target
        total += (error * error).mean()
    return total / len(batches)

# %% end
def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    mean, errors = mean.to(device), []
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        errors.append((error * error).mean())
    return sum(errors) / len(errors)


# ==== answer_deleted
# happened = "An answer's cell was deleted."
# points = {fix_mismatch = 0}
# says = ["put back as released, without an answer: fix_mismatch"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "fix_mismatch"]


# ==== cells_upside_down
# happened = "The cells stand in the reverse order."
# %% tamper
notebook["cells"].reverse()


# ==== check_edited
# happened = "The student wrote into a test cell."
# says = ["fix_mismatch_check"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "fix_mismatch_check":
        cell["source"] += "\nprint(fix_mismatch)  # why?"


# ==== check_twice
# happened = "A test cell was copied."
# %% tamper
(at,) = (i for i, cell in enumerate(notebook["cells"]) if cell["id"] == "fix_mismatch_check")
notebook["cells"].insert(at, dict(notebook["cells"][at]))


# ==== cut_in_two
# happened = "A cell was split in the middle of its function."
# says = ["Cut in two within a statement"]
# %% tamper
(at,) = (i for i, cell in enumerate(notebook["cells"]) if cell["id"] == "fix_mismatch")
cell = notebook["cells"][at]
lines = cell["source"].splitlines()
cut = next(number for number, line in enumerate(lines) if line.startswith("def ")) + 2
cell["source"] = "\n".join(lines[:cut])
rest = {**cell, "id": "rest", "metadata": {}, "source": "\n".join(lines[cut:])}
notebook["cells"].insert(at + 1, rest)


# ==== early_draft_kept
# happened = "An early draft of an answer is kept above the answer."
# %% before fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return ((batches[0] - mean) @ weight - targets[0]).mean()


# ==== every_cell_twice
# happened = "All cells stand there twice."
# %% tamper
notebook["cells"] = [each for cell in notebook["cells"] for each in (cell, dict(cell))]


# ==== merged_with_its_task
# happened = "Task and answer were merged into a text cell."
# points = {fix_mismatch = "held"}
# says = ["fix_mismatch could not be matched: its own cell is gone or empty: cell 3 may be the answer"]
# %% tamper
by_id = {cell["id"]: cell for cell in notebook["cells"]}
by_id["fix_mismatch_task"]["source"] += "\n\n" + by_id["fix_mismatch"]["source"]
notebook["cells"].remove(by_id["fix_mismatch"])


# ==== metadata_and_ids_stripped
# happened = "A tool removed the metadata and the ids of all cells."
# says = ["Found in another cell, by the function that it defines"]
# %% tamper
for cell in notebook["cells"]:
    cell["metadata"] = {}
    del cell["id"]
notebook["nbformat_minor"] = 4


# ==== metadata_of_other_types
# happened = "A tool turned the metadata into text and numbers."
# %% tamper
for number, cell in enumerate(notebook["cells"]):
    cell["metadata"] = ["nbgrader", number, None, {"nbgrader": "yes"}][number % 4]


# ==== metadata_stripped
# happened = "A tool removed the metadata of all cells."
# says = ["Found by the cell's id"]
# %% tamper
for cell in notebook["cells"]:
    cell["metadata"] = {}


# ==== no_cells_at_all
# happened = "All cells were deleted."
# points = {all = "held"}
# says = ["the notebook contains no part of it"]
# %% tamper
notebook["cells"] = []


# ==== points_edited
# happened = "The points of a test cell are not what they were."
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "fix_mismatch_check":
        cell["metadata"]["nbgrader"]["points"] = 300


# ==== setup_deleted
# happened = "The student deleted the first code cell."
# says = ["setup"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "setup"]


# ==== setup_edited
# happened = "The student asked for other cards in the first code cell."
# says = ["setup"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "setup":
        cell["source"] = cell["source"].replace("gpus=4", "gpus=1")


# ==== turned_into_text
# happened = "A slip of the keyboard turned an answer into a text cell, and another into a raw one."
# says = ["Turned into a text cell, and taken as code again"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] in ("fix_mismatch", "move_batch"):
        cell["cell_type"] = "markdown" if cell["id"] == "fix_mismatch" else "raw"
        del cell["outputs"], cell["execution_count"]


# ==== two_in_one
# happened = "Two answers stand in one cell; the other cell is gone."
# says = ["Answered in one cell with another exercise: move_batch"]
# %% tamper
by_id = {cell["id"]: cell for cell in notebook["cells"]}
by_id["fix_mismatch"]["source"] += "\n\n\n" + by_id["move_batch"]["source"]
notebook["cells"].remove(by_id["move_batch"])
