# happened = "The student wrote into a test cell."
# says = ["mend_mismatch_check"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "mend_mismatch_check":
        cell["source"] += "\nprint(mend_mismatch)  # why?"
