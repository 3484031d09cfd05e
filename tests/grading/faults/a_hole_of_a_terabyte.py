# happened = "A file of a terabyte, which takes no room on the disk, lies beside the notebook."
# points = {all = "held"}
# says = ["is larger than 20 MB: ask for a smaller one"]
# %% tamper
import os

(folder / "weights.pt").touch()
os.truncate(folder / "weights.pt", 1 << 40)
