# happened = "A PDF was handed in."
# points = {all = "held"}
# says = ["has no notebook"]
# %% tamper
file = ""
(folder / "02_tensors.pdf").write_bytes(b"%PDF-1.7")
