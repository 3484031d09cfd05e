# happened = "A named pipe, at which any reader waits, lies beside the notebook."
# points = {all = "held"}
# says = ["is not a regular file: ask for the file itself"]
# %% tamper
import os

os.mkfifo(folder / "data.txt")
