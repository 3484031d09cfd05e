"""A learner's workspace: copies of notebooks, JupyterLab, the start page, handing in."""
