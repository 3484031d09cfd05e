# happened = "A tool removed the metadata and the ids of all cells."
# says = ["Found in another cell, by the function that it defines"]
# %% tamper
for cell in notebook["cells"]:
    cell["metadata"] = {}
    del cell["id"]
notebook["nbformat_minor"] = 4
