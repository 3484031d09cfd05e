# name = "A notebook a hundred thousand levels deep"
# goal = "harm"
# attacks = "the reader of notebooks"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
import json

text = json.dumps(notebook)
deep = "[" * 100_000 + "]" * 100_000
raw = text[:-1] + f', "deep": {deep}' + "}"
