# happened = "Jupyter's own folder of checkpoints was handed in as well."
# %% tamper
(folder / ".ipynb_checkpoints").mkdir()
(folder / ".ipynb_checkpoints" / "02_tensors-checkpoint.ipynb").write_text("{}")
