# happened = "The browser saved the page that shows the notebook."
# points = {all = "held"}
# says = ["is not a notebook"]
# %% tamper
raw = b"<!DOCTYPE html><html><body>02_tensors</body></html>"
