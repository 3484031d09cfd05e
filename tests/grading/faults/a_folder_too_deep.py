# happened = "The notebook lies in a folder of the same name."
# %% tamper
import json

file = ""
(folder / "02_tensors").mkdir()
(folder / "02_tensors" / "02_tensors.ipynb").write_text(json.dumps(notebook))
