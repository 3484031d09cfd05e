# finding: first-entry-decides
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] is not None and report["visible"].split(",")[-1] != "0":
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes
