# happened = "Git's marks of a conflict stand in the file."
# points = {all = "held"}
# says = ["is not a notebook"]
# %% tamper
import json

text = json.dumps(notebook, indent=1)
lines = text.split("\n")
lines[3:3] = ["<<<<<<< HEAD", "=======", ">>>>>>> mine"]
raw = "\n".join(lines).encode()
