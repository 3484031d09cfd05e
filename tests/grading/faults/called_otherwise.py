# happened = "The notebook has another name, as a browser gives a second download."
# %% tamper
file = "02_tensors (1).ipynb"
