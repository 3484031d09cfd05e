# name = "Test cells become answers"
# goal = "forge"
# attacks = "the roles of cells: what is a test may not be edited, what is an answer may"

# %% tamper
for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        meta.update(solution=True, locked=False)
        cell["source"] = str(meta["points"])
