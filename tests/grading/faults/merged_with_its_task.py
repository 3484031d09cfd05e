# happened = "Task and answer were merged into a text cell."
# points = {fix_mismatch = "held"}
# says = ["fix_mismatch could not be matched: its own cell is gone or empty: cell 3 may be the answer"]
# %% tamper
by_id = {cell["id"]: cell for cell in notebook["cells"]}
by_id["fix_mismatch_task"]["source"] += "\n\n" + by_id["fix_mismatch"]["source"]
notebook["cells"].remove(by_id["fix_mismatch"])
