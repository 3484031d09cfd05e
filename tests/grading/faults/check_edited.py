# happened = "The student wrote into a test cell."
# says = ["fix_mismatch_check"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "fix_mismatch_check":
        cell["source"] += "\nprint(fix_mismatch)  # why?"
