# happened = "An answer's cell was deleted."
# points = {add_on = 0}
# says = ["put back as released, without an answer: add_on"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "add_on"]
