# happened = "A loop printed fifteen megabytes into the notebook."
# %% tamper
text = "many lines\n" * 1_400_000
(cell,) = (each for each in notebook["cells"] if each["id"] == "move_batch_try")
cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]
