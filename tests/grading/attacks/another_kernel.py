# name = "A kernel of one's own"
# goal = "forge"
# attacks = "the kernel that the notebook names, and the settings it brings along"
# honest = ["move_batch"]

# %% tamper
import json

notebook["metadata"]["kernelspec"] = {"name": "../../own", "display_name": "Python 3",
                                      "language": "python"}
notebook["metadata"]["language_info"] = {"name": "bash", "file_extension": "/../../x"}
(folder / "own").mkdir()
(folder / "own" / "kernel.json").write_text(json.dumps(
    {"argv": ["sh", "-c", "touch /tmp/escape"], "display_name": "own", "language": "python"}))
(folder / "nbgrader_config.py").write_text("c.Autograde.enabled = False\nraise SystemExit\n")
(folder / "jupyter_config.py").write_text("raise SystemExit\n")
