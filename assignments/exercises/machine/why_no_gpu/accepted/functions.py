def fits(name, card):
    if name.startswith("compute_"):
        return int(name.removeprefix("compute_")) <= card
    code, card = divmod(int(name.removeprefix("sm_")), 10), divmod(card, 10)
    return code[0] == card[0] and code[1] <= card[1]


def shows(visible):
    return visible is None or visible.split(",")[0] == "0" or visible[:4] == "GPU-"


def why_no_gpu(report):
    works = "CUDA Version" in report["nvidia_smi"]
    cuda = report["cuda"]
    causes = []
    if not works:
        causes += ["container"] if report["container"] else ["driver"]
    if not cuda:
        causes += ["build"]
    if works and cuda:
        supported = report["nvidia_smi"].split()[-2]
        if int(float(cuda)) > int(float(supported)):
            causes += ["version"]
    if not shows(report["visible"]):
        causes += ["hidden"]
    if works and report["arch_list"]:
        card = int(report["compute_cap"].replace(".", ""))
        if not [name for name in report["arch_list"] if fits(name, card)]:
            causes += ["architecture"]
    return causes
