# happened = "A tool turned the metadata into text and numbers."
# %% tamper
for number, cell in enumerate(notebook["cells"]):
    cell["metadata"] = ["nbgrader", number, None, {"nbgrader": "yes"}][number % 4]
