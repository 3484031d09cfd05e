# happened = "The file is a hundred thousand brackets."
# points = {all = "held"}
# says = ["nested too deeply"]
# %% tamper
raw = b"[" * 100_000 + b"]" * 100_000
