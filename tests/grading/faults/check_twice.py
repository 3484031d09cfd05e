# happened = "A test cell was copied."
# %% tamper
(at,) = (i for i, cell in enumerate(notebook["cells"]) if cell["id"] == "fix_mismatch_check")
notebook["cells"].insert(at, dict(notebook["cells"][at]))
