# name = "A thousand points"
# goal = "forge"
# attacks = "the points in the metadata of test cells"
# honest = ["move_batch"]

# %% tamper
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        meta["points"] = 1000
