# happened = "Its format is one that does not exist yet."
# points = {all = "held"}
# says = ["not a notebook of a known version"]
# %% tamper
notebook["nbformat"] = 9
