# name = "Test cells rewritten, with the right checksum"
# goal = "forge"
# attacks = "the text of test cells and the checksum by which nbgrader knows them"

# %% tamper
from nbformat import from_dict
from nbgrader.utils import compute_checksum

for cell in notebook["cells"]:
    meta = cell["metadata"].get("nbgrader", {})
    if meta.get("grade"):
        cell["source"] = f"{meta['points']}"
        meta["checksum"] = compute_checksum(from_dict(cell))
