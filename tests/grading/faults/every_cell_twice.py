# happened = "All cells stand there twice."
# %% tamper
notebook["cells"] = [each for cell in notebook["cells"] for each in (cell, dict(cell))]
