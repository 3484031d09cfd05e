# happened = "The student deleted the first code cell."
# says = ["setup"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "setup"]
