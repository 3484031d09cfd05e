# happened = "An answer was written as prose."
# points = {add_on = "held"}
# says = ["turned into text that is not Python"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "add_on":
        cell["cell_type"] = "markdown"
        cell["source"] = "I would move `a` to the device of `b` and add there."
        del cell["outputs"], cell["execution_count"]
