# %% generator
def why_no_gpu(report):
    return list(_causes(**report))


def _causes(nvidia_smi, compute_cap, cuda, arch_list, visible, container):
    if compute_cap is None:
        yield "container" if container else "driver"
    if cuda is None:
        yield "build"
    elif compute_cap and float(cuda) // 1 > float(nvidia_smi.split()[-2]) // 1:
        yield "version"
    if visible is not None and not (visible + ",").startswith(("0,", "GPU-")):
        yield "hidden"
    if arch_list and compute_cap:
        major, minor = compute_cap.split(".")
        for lower in range(int(minor) + 1):
            if f"sm_{major}{lower}" in arch_list:
                return
        for ptx in arch_list:
            if ptx.startswith("compute_") and int(ptx[8:]) <= int(major + minor):
                return
        yield "architecture"

# %% three_ways
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
