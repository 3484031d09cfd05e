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
