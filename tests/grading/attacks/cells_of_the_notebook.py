# ==== another_kernel
# name = "A kernel of one's own"
# goal = "forge"
# attacks = "the kernel that the notebook names, and the settings it brings along"
# honest = ["move_batch"]

# %% tamper
import json

notebook["metadata"]["kernelspec"] = {"name": "../../own", "display_name": "Python 3",
                                      "language": "python"}
notebook["metadata"]["language_info"] = {"name": "bash", "file_extension": "/../../x"}
(folder / "own").mkdir()
(folder / "own" / "kernel.json").write_text(json.dumps(
    {"argv": ["sh", "-c", "touch /tmp/escape"], "display_name": "own", "language": "python"}))
(folder / "nbgrader_config.py").write_text("c.Autograde.enabled = False\nraise SystemExit\n")
(folder / "jupyter_config.py").write_text("raise SystemExit\n")


# ==== answers_out_of_tests
# name = "Test cells become answers"
# goal = "forge"
# attacks = "the roles of cells: what is a test may not be edited, what is an answer may"

# %% tamper
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        meta.update(solution=True, locked=False)
        cell["source"] = str(meta["points"])


# ==== cells_of_tests_of_ones_own
# name = "Test cells of one's own"
# goal = "forge"
# attacks = "nbgrader's list of graded cells"
# honest = ["move_batch"]

# %% tamper
for number in range(3):
    notebook["cells"].append({
        "cell_type": "code", "id": f"extra-{number}", "source": "100", "outputs": [],
        "execution_count": None,
        "metadata": {"nbgrader": {"grade": True, "solution": False, "locked": False, "task": False,
                                  "schema_version": 3, "points": 100,
                                  "grade_id": f"bonus_{number}", "cell_type": "code"}},
    })


# ==== cheap_for_dear
# name = "The cheap exercise checked in the place of the dear one"
# goal = "forge"
# attacks = "which exercise a test cell checks"
# honest = ["fix_mismatch"]

# %% tamper
for cell in notebook["cells"]:
    if cell["metadata"].get("nbgrader", {}).get("grade"):
        cell["source"] = 'check("tensors.fix_mismatch", fix_mismatch)'


# ==== every_test_twice
# name = "Every test cell twice"
# goal = "harm"
# attacks = "nbgrader's check for duplicates, which stops the whole class; the first copy is easy"
# honest = ["fix_mismatch"]

# %% tamper
import copy

doubled = []
for cell in notebook["cells"]:
    if cell["metadata"].get("nbgrader", {}).get("grade"):
        easy = copy.deepcopy(cell)
        easy["source"] = str(cell["metadata"]["nbgrader"]["points"])
        doubled.append(easy)
    doubled.append(cell)
notebook["cells"] = doubled


# ==== graded_by_hand
# name = "Graded by hand already"
# goal = "forge"
# attacks = "manual scores, late penalties and comments, written into the notebook"

# %% tamper
total = 0
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        meta.update(task=True, score=meta["points"], manual_score=meta["points"],
                    needs_manual_grade=False, comment="Well done.")
        total += meta["points"]
notebook["metadata"]["nbgrader"] = {"score": total, "max_score": total, "late_penalty": -total}


# ==== ids_that_lead_elsewhere
# name = "Cell ids that lead elsewhere"
# goal = "harm"
# attacks = "ids and names that become paths or HTML"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
for number, cell in enumerate(notebook["cells"]):
    if "nbgrader" not in cell["metadata"]:
        cell["id"] = f"../../../../escape-{number}"
notebook["cells"][0]["id"] = "<script>alert(1)</script>"
notebook["cells"].append({
    "cell_type": "code", "id": "'; DROP TABLE grade; --", "source": "1", "outputs": [],
    "execution_count": None,
    "metadata": {"nbgrader": {"grade": True, "solution": True, "locked": False, "task": False,
                              "points": 3, "schema_version": 3, "cell_type": "code",
                              "grade_id": "../../../escape'; DROP TABLE grade; --"}},
})


# ==== metadata_of_other_types
# name = "Metadata of other types"
# goal = "harm"
# attacks = "every place that expects an object, a list or a string"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
others = [None, 7, [], "text", {"nbgrader": []}, {"nbgrader": {"grade_id": {"a": 1}}},
          {"nbgrader": {"grade": "yes", "grade_id": ["move_batch"]}}]
for number, other in enumerate(others):
    notebook["cells"].append({"cell_type": "code", "id": f"odd{number}", "metadata": other,
                              "source": ["a = 1\n", "b"], "outputs": [], "execution_count": None})
notebook["cells"].append({"cell_type": "code"})
notebook["cells"].append({"cell_type": "nothing", "metadata": {}, "source": {"a": 1}})


# ==== numbers_that_are_none
# name = "Numbers that are none"
# goal = "harm"
# attacks = "arithmetic and JSON of whoever adds points: NaN, infinity, a number of 5,000 digits"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
import json

for cell in notebook["cells"]:
    if cell["metadata"].get("nbgrader", {}).get("grade"):
        cell["metadata"]["nbgrader"]["points"] = "POINTS"
raw = json.dumps(notebook).replace('"POINTS"', "NaN", 1).replace('"POINTS"', "1e999", 1)
raw = raw.replace('"POINTS"', "9" * 5000)


# ==== outputs_say_full_points
# name = "Outputs that say full points"
# goal = "forge"
# attacks = "the outputs of test cells, as they were handed in"

# %% tamper
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        points = str(meta["points"])
        cell["execution_count"] = 9
        cell["outputs"] = [
            {"output_type": "execute_result", "execution_count": 9, "metadata": {},
             "data": {"text/plain": points, "text/html": "<b>Passed.</b>"}},
            {"output_type": "display_data", "metadata": {"course": {"verdict": "passed"}},
             "data": {"text/plain": points}},
        ]
        cell["metadata"]["course"] = {"verdict": "passed", "html": "<b>Passed.</b>"}


# ==== points_of_a_thousand
# name = "A thousand points"
# goal = "forge"
# attacks = "the points in the metadata of test cells"
# honest = ["move_batch"]

# %% tamper
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        meta["points"] = 1000


# ==== same_key_twice
# name = "The same key twice"
# goal = "forge"
# attacks = "two readers of JSON that take one the first, the other the last of equal keys"

# %% tamper
import json

raw = json.dumps(notebook).replace('"points": ', '"points": 1000, "points": ')
raw = raw.replace('"grade": true', '"grade": false, "grade": true')


# ==== setup_of_ones_own
# name = "A setup of one's own"
# goal = "forge"
# attacks = "the first cell, which brings `check` and the devices"
# honest = ["move_batch"]

# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "setup":
        cell["source"] = (
            "import torch\n\ndef check(name, answer, **options):\n    return 5\n\n\n"
            "def lab(gpus=4):\n    return [torch.device('cpu')] * gpus\n\n\ndevices = lab()\n"
        )


# ==== swapped_names
# name = "Names of cells swapped"
# goal = "forge"
# attacks = "the matching of cells by grade_id: the points of one for the answer of another"
# honest = ["fix_mismatch"]

# %% tamper
names = {"fix_mismatch_check": "move_batch_check", "move_batch_check": "fix_mismatch_check"}
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade_id") in names:
        meta["grade_id"] = names[meta["grade_id"]]
        cell["id"] = meta["grade_id"]


# ==== tests_not_run
# name = "Test cells that are not run"
# goal = "forge"
# attacks = "tags and cell types that let a runner leave cells out"

# %% tamper
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception", "remove-cell"]
        cell["metadata"]["editable"] = True
        if meta["grade_id"].startswith("m"):
            cell["cell_type"] = "markdown"
            cell.pop("outputs", None)
            cell.pop("execution_count", None)


# ==== tests_rewritten
# name = "Test cells rewritten, with the right checksum"
# goal = "forge"
# attacks = "the text of test cells and the checksum by which nbgrader knows them"

# %% tamper
from nbformat import from_dict
from nbgrader.utils import compute_checksum

for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        cell["source"] = f"{meta['points']}"
        meta["checksum"] = compute_checksum(from_dict(cell))
