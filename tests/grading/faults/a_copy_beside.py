# happened = "An older copy lies beside the notebook."
# %% tamper
(folder / "02_tensors-Copy1.ipynb").write_text("{}")
