# happened = "An editor put a byte order mark first and ended lines as Windows does."
# %% tamper
import json

raw = b"\xef\xbb\xbf" + json.dumps(notebook, indent=1).replace("\n", "\r\n").encode()
