"""A learner's workspace: copies to work in, JupyterLab on them, the start page, handing in."""
