# happened = "The points of a test cell are not what they were."
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "fix_mismatch_check":
        cell["metadata"]["nbgrader"]["points"] = 300
