# happened = "A cell was split in the middle of its function."
# says = ["Cut in two within a statement"]
# %% tamper
(at,) = (i for i, cell in enumerate(notebook["cells"]) if cell["id"] == "add_on")
cell = notebook["cells"][at]
lines = cell["source"].splitlines()
cell["source"] = "\n".join(lines[:2])
rest = {**cell, "id": "rest", "metadata": {}, "source": "\n".join(lines[2:])}
notebook["cells"].insert(at + 1, rest)
