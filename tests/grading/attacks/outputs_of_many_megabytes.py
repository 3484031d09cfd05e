# name = "Outputs of many megabytes"
# goal = "harm"
# attacks = "memory and time of whoever reads the notebook"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 900_000}]
