# happened = "The notebook was fetched once more; all the work is in the copy beside it."
# points = {all = "held"}
# says = ["02_tensors.ipynb has no answer, but there is also 02_tensors-Copy1.ipynb:"]
# %% tamper
import json
from tests.grading.courses import filled_in

(folder / "02_tensors-Copy1.ipynb").write_text(json.dumps(notebook))
notebook.update(filled_in("02_tensors", {}))
