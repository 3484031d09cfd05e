# happened = "Two answers stand in one cell; the other cell is gone."
# says = ["Answered in one cell with another exercise: move_batch"]
# %% tamper
by_id = {cell["id"]: cell for cell in notebook["cells"]}
by_id["fix_mismatch"]["source"] += "\n\n\n" + by_id["move_batch"]["source"]
notebook["cells"].remove(by_id["move_batch"])
