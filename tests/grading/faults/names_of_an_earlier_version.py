# happened = "The answers were written in version 0.2, where the exercise was called mend_mismatch."
# %% tamper
for cell in notebook["cells"]:
    cell["id"] = cell["id"].replace("fix_mismatch", "mend_mismatch")
    cell["source"] = cell["source"].replace("fix_mismatch", "mend_mismatch")
    if "nbgrader" in cell["metadata"]:
        cell["metadata"]["nbgrader"]["grade_id"] = cell["id"]
