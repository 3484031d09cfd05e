def fits(code, card):
    code, card = divmod(code, 10), divmod(card, 10)
    return code[0] == card[0] and code[1] <= card[1]


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
    if report["visible"] not in ("0", None):
        causes += ["hidden"]
    if works and report["arch_list"]:
        card = int(report["compute_cap"].replace(".", ""))
        if not [name for name in report["arch_list"] if fits(int(name[3:]), card)]:
            causes += ["architecture"]
    return causes
