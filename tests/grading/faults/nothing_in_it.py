# happened = "The file has no bytes."
# points = {all = "held"}
# says = ["is empty"]
# %% tamper
raw = b""
