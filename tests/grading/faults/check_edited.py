# happened = "The student wrote into a test cell."
# says = ["add_on_check"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "add_on_check":
        cell["source"] += "\nprint(add_on)  # why?"
