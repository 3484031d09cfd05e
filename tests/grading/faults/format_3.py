# happened = "A very old Jupyter saved it as nbformat 3."
# %% tamper
import nbformat

raw = nbformat.writes(nbformat.convert(nbformat.from_dict(notebook), 3), version=3).encode()
