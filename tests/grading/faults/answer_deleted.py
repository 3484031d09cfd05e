# happened = "An answer's cell was deleted."
# points = {mend_mismatch = 0}
# says = ["put back as released, without an answer: mend_mismatch"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "mend_mismatch"]
