# name = "Names of cells swapped"
# goal = "forge"
# attacks = "the matching of cells by grade_id: the points of one for the answer of another"
# honest = ["predict_to"]

# %% tamper
names = {"predict_to_check": "move_batch_check", "move_batch_check": "predict_to_check"}
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade_id") in names:
        meta["grade_id"] = names[meta["grade_id"]]
        cell["id"] = meta["grade_id"]
