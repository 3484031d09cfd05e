# name = "Scripts in outputs"
# goal = "feedback page"
# attacks = "HTML, SVG, JavaScript, LaTeX, widgets and Markdown that were handed in"
# honest = ["move_batch"]

# %% tamper
script = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
svg = f"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>{script}</svg>"
for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
        cell["execution_count"] = 1
        cell["outputs"] = [
            {"output_type": "display_data", "metadata": {}, "data": {
                "text/html": script, "image/svg+xml": svg, "text/markdown": script,
                "application/javascript": "document.title='owned'",
                "text/latex": "\\href{javascript:alert(1)}{x}", "text/plain": script,
                "application/vnd.jupyter.widget-view+json": {"model_id": "x"},
                "image/png": "\"><script>document.title='owned'</script>"}},
            {"output_type": "stream", "name": "stdout", "text": f"\x1b]0;owned\x07\x1b[2J{script}"},
            {"output_type": "error", "ename": script, "evalue": script,
             "traceback": [f"\x1b[31m{script}\x1b[0m", "\x1b]8;;javascript:alert(1)\x07x"]},
        ]
notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {
    "state": {"x": {"model_name": "HTMLModel", "state": {"value": script}}}}}
notebook["metadata"]["title"] = script
