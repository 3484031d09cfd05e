# happened = "An answer's cell was deleted."
# points = {fix_mismatch = 0}
# says = ["put back as released, without an answer: fix_mismatch"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "fix_mismatch"]
