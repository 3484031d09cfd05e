def why_no_gpu(report):
    hidden = [] if report["visible"] in (None, "0") else ["hidden"]
    if "CUDA Version" not in report["nvidia_smi"]:
        first = ["container" if report["container"] else "driver"]
        return first + ([] if report["cuda"] else ["build"]) + hidden
    if report["cuda"] is None:
        return ["build", *hidden]
    driver = report["nvidia_smi"].split("CUDA Version:")[1].strip("| ")
    major = [int(text.split(".")[0]) for text in (driver, report["cuda"])]
    low = int(report["compute_cap"].split(".")[0]) * 10
    card = round(float(report["compute_cap"]) * 10)
    codes = {int(name.split("_")[1]) for name in report["arch_list"]}
    no_code = codes.isdisjoint(range(low, card + 1))
    version = ["version"] if major[0] < major[1] else []
    return version + hidden + (["architecture"] if codes and no_code else [])
