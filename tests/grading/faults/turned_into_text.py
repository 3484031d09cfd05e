# happened = "A slip of the keyboard turned an answer into a text cell, and another into a raw one."
# says = ["Turned into a text cell, and taken as code again"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] in ("fix_mismatch", "move_batch"):
        cell["cell_type"] = "markdown" if cell["id"] == "fix_mismatch" else "raw"
        del cell["outputs"], cell["execution_count"]
