# happened = "The notebook is a link to one elsewhere."
# points = {all = "held"}
# says = ["is a link"]
# %% tamper
file = ""
(folder / "02_tensors.ipynb").symlink_to("/etc/hostname")
