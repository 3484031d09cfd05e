# happened = "Files called torch.py and json.py lie beside the notebook."
# %% tamper
for name in ("torch.py", "json.py", "course_utils.py"):
    (folder / name).write_text("raise SystemExit\n")
