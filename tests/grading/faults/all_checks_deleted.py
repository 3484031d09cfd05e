# happened = "The student deleted every test cell."
# says = ["Edited or deleted, and put back as released"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if not c["id"].endswith("_check")]
