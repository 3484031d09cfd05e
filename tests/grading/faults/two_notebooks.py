# happened = "There are two notebooks, and none has the assignment's name."
# points = {all = "held"}
# says = ["has 2 notebooks, none called 02_tensors.ipynb"]
# %% tamper
import json

file = ""
for name in ("final.ipynb", "final_final.ipynb"):
    (folder / name).write_text(json.dumps(notebook))
