# happened = "An answer was written as prose."
# points = {fix_mismatch = "held"}
# says = ["turned into text that is not Python"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "fix_mismatch":
        cell["cell_type"] = "markdown"
        cell["source"] = "I would move `mean` to the device of `weight`, once."
        del cell["outputs"], cell["execution_count"]
