# happened = "Task and answer were merged into a text cell."
# points = {mend_mismatch = "held"}
# says = ["mend_mismatch could not be matched: its own cell is gone or empty: cell 3 may be the answer"]
# %% tamper
by_id = {cell["id"]: cell for cell in notebook["cells"]}
by_id["mend_mismatch_task"]["source"] += "\n\n" + by_id["mend_mismatch"]["source"]
notebook["cells"].remove(by_id["mend_mismatch"])
