# finding: cause-blamed
def why_no_gpu(report):
    return ["build", "hidden"] if report["visible"] == "1" else ["build"]
