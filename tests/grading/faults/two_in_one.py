# happened = "Two answers stand in one cell; the other cell is gone."
# says = ["Answered in one cell with another exercise: cheapest"]
# %% tamper
by_id = {cell["id"]: cell for cell in notebook["cells"]}
by_id["add_on"]["source"] += "\n\n\n" + by_id["cheapest"]["source"]
notebook["cells"].remove(by_id["cheapest"])
