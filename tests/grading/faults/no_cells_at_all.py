# happened = "All cells were deleted."
# points = {all = "held"}
# says = ["the notebook contains no part of it"]
# %% tamper
notebook["cells"] = []
