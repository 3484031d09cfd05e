# name = "The same key twice"
# goal = "forge"
# attacks = "two readers of JSON that take one the first, the other the last of equal keys"

# %% tamper
import json

raw = json.dumps(notebook).replace('"points": ', '"points": 1000, "points": ')
raw = raw.replace('"grade": true', '"grade": false, "grade": true')
