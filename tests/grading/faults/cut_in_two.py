# happened = "A cell was split in the middle of its function."
# says = ["Cut in two within a statement"]
# %% tamper
(at,) = (i for i, cell in enumerate(notebook["cells"]) if cell["id"] == "fix_mismatch")
cell = notebook["cells"][at]
lines = cell["source"].splitlines()
cut = next(number for number, line in enumerate(lines) if line.startswith("def ")) + 2
cell["source"] = "\n".join(lines[:cut])
rest = {**cell, "id": "rest", "metadata": {}, "source": "\n".join(lines[cut:])}
notebook["cells"].insert(at + 1, rest)
