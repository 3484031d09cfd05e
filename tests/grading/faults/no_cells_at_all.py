# happened = "All cells were deleted."
# points = {all = "held"}
# says = ["nothing of it is in the notebook"]
# %% tamper
notebook["cells"] = []
