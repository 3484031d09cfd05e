# finding: build-missed
def why_no_gpu(report):
    return []
