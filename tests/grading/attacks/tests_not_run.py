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
