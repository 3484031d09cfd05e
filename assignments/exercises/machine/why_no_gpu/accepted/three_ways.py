def why_no_gpu(report):
    visible = "0" if report["visible"] is None else report["visible"]
    first, *_ = visible.split(",")
    hidden = [] if first == "0" or "GPU" in first else ["hidden"]
    if "CUDA Version" not in report["nvidia_smi"]:
        first = ["container" if report["container"] else "driver"]
        return first + ([] if report["cuda"] else ["build"]) + hidden
    if report["cuda"] is None:
        return ["build", *hidden]
    driver = report["nvidia_smi"].split("CUDA Version:")[1].strip("| ")
    major = [int(text.split(".")[0]) for text in (driver, report["cuda"])]
    low = int(report["compute_cap"].split(".")[0]) * 10
    card = round(float(report["compute_cap"]) * 10)
    codes = {int(name[3:]) for name in report["arch_list"] if name.startswith("sm_")}
    ptx = [int(name[8:]) for name in report["arch_list"] if name.startswith("compute_")]
    no_code = codes.isdisjoint(range(low, card + 1)) and min(ptx, default=card + 1) > card
    version = ["version"] if major[0] < major[1] else []
    return version + hidden + (["architecture"] if codes and no_code else [])
