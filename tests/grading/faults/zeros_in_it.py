# happened = "A disk that failed left a file of zero bytes."
# points = {all = "held"}
# says = ["is empty"]
# %% tamper
raw = bytes(5000)
