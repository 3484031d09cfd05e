# happened = "The upload broke off in the middle of the file."
# points = {all = "held"}
# says = ["is not a notebook, or only a part of one"]
# %% tamper
import json

raw = json.dumps(notebook).encode()[:4000]
