# name = "Numbers that are none"
# goal = "harm"
# attacks = "arithmetic and JSON of whoever adds points: NaN, infinity, a number of 5,000 digits"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
import json

for cell in notebook["cells"]:
    if cell["metadata"].get("nbgrader", {}).get("grade"):
        cell["metadata"]["nbgrader"]["points"] = "POINTS"
raw = json.dumps(notebook).replace('"POINTS"', "NaN", 1).replace('"POINTS"', "1e999", 1)
raw = raw.replace('"POINTS"', "9" * 5000)
