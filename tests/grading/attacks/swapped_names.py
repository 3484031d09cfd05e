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
