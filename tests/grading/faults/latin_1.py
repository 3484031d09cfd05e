# happened = "A tool wrote a note with an umlaut as Latin-1."
# points = {all = "held"}
# says = ["is not in UTF-8"]
# %% tamper
import json

notebook["cells"][0]["source"] = "Lösung von Jörg"
raw = json.dumps(notebook, ensure_ascii=False).encode("latin-1", "replace")
