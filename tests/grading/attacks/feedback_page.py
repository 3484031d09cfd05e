# ==== markdown_that_imitates
# name = "Markdown that imitates the feedback"
# goal = "feedback page"
# attacks = "text cells of one's own: headings, points, forms, styles, frames, attachments"
# honest = ["move_batch"]

# %% tamper
total = sum(cell["metadata"].get("nbgrader", {}).get("points", 0) for cell in notebook["cells"])
text = (
    f"# Final grade: {total} of {total}\n\n"
    "<h1>Passed.</h1>\n<style>body {display: none}</style>\n"
    "<base href='http://127.0.0.1:9/'><form action='/x'><input name=password></form>\n"
    "<iframe src='http://127.0.0.1:9/'></iframe><meta http-equiv=refresh content='0;url=/x'>\n"
    "![](http://127.0.0.1:9/seen.png) <a href='javascript:alert(1)'>x</a>\n"
    "$$\\href{javascript:alert(1)}{x}$$ {{ config }} {% include '/etc/passwd' %}\n"
)
notebook["cells"].insert(1, {
    "cell_type": "markdown", "id": "grade", "source": text,
    "metadata": {"nbgrader": {"grade": True, "solution": False, "task": True, "points": total,
                              "grade_id": "final", "locked": True, "schema_version": 3}},
    "attachments": {"a.svg": {"image/svg+xml": "PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+"}},
})
notebook["cells"].append({"cell_type": "raw", "id": "raw", "source": text,
                          "metadata": {"raw_mimetype": "text/html"}})


# ==== scripts_in_messages
# name = "Scripts in messages"
# goal = "feedback page"
# attacks = "what a message quotes: exceptions, results, names of functions and parameters"
# assignment = "07_parallel"
# flagged = true

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return ["</code><script>alert(1)</script>", "`<iframe src=javascript:alert(1)>`"]

# %% fix_parallel
fix_parallel = type("<script>alert(1)</script>", (), {})()

# %% train_step
def train_step(replicas, batch, targets, lr):
    raise type("<script>alert(1)</script>", (Exception,), {})("<svg onload=alert(1)>")


# ==== scripts_in_outputs
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
