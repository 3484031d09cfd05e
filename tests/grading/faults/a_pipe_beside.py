# happened = "A named pipe, at which any reader waits, lies beside the notebook."
# points = {all = "held"}
# says = ["is a link or a special file"]
# %% tamper
import os

os.mkfifo(folder / "data.txt")
