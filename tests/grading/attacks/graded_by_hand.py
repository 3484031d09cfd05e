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
