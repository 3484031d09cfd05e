# happened = "A tool removed the metadata of all cells."
# says = ["Found by the cell's id"]
# %% tamper
for cell in notebook["cells"]:
    cell["metadata"] = {}
