# happened = "Beside an untouched notebook lies one that is cut off, in a folder."
# points = {all = "held"}
# says = ["has no answer, but there is also mine/tensors final.ipynb:"]
# %% tamper
import json
from tests.grading.courses import filled_in

(folder / "mine").mkdir()
(folder / "mine" / "tensors final.ipynb").write_text(json.dumps(notebook)[:5000])
notebook.update(filled_in("02_tensors", {}))
