# happened = "A file of a terabyte, which takes no room on the disk, lies beside the notebook."
# points = {all = "held"}
# says = ["more than 20 MB of files besides"]
# %% tamper
import os

(folder / "weights.pt").touch()
os.truncate(folder / "weights.pt", 1 << 40)
