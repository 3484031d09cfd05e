# name = "Graded by hand already"
# goal = "forge"
# attacks = "manual scores, late penalties and comments, written into the notebook"

# %% tamper
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        meta.update(task=True, score=meta["points"], manual_score=meta["points"],
                    needs_manual_grade=False, comment="Well done.")
notebook["metadata"]["nbgrader"] = {"score": 24, "max_score": 24, "late_penalty": -24}
