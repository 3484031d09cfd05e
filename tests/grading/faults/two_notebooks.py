# happened = "There are two notebooks, and none has the assignment's name."
# points = {all = "held"}
# says = ["has no 02_tensors.ipynb among its notebooks"]
# %% tamper
import json

file = ""
for name in ("final.ipynb", "final_final.ipynb"):
    (folder / name).write_text(json.dumps(notebook))
