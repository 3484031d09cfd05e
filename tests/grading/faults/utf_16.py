# happened = "An editor saved the file as UTF-16."
# %% tamper
import json

raw = json.dumps(notebook, ensure_ascii=False).encode("utf-16")
