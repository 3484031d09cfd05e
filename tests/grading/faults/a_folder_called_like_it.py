# happened = "A folder has the notebook's name."
# points = {all = "held"}
# says = ["is not a regular file"]
# %% tamper
file = ""
(folder / "02_tensors.ipynb").mkdir()
