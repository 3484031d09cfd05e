# happened = "The student worked on a release without one of the exercises."
# points = {move_batch = "held"}
# says = ["another version of the assignment"]
# %% tamper
notebook["cells"] = [c for c in notebook["cells"] if not c["id"].startswith("move_batch")]
