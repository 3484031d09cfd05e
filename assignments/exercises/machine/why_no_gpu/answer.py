def why_no_gpu(report):
    """Return the causes that `report` shows: a list, in the order of the task."""
    ### BEGIN SOLUTION
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    # A build without CUDA has no version to compare.
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    # CUDA reads the list from the left, and stops at the first index that does not exist.
    first = "0" if report["visible"] is None else report["visible"].split(",")[0]
    if first != "0" and not first.startswith("GPU-"):
        causes.append("hidden")
    if works and report["arch_list"]:
        card = tuple(map(int, report["compute_cap"].split(".")))
        fits = False
        for name in report["arch_list"]:
            kind, number = name.split("_")
            code = int(number[:-1]), int(number[-1])
            fits = fits or (code <= card and (kind == "compute" or code[0] == card[0]))
        if not fits:
            causes.append("architecture")
    return causes
    ### END SOLUTION


# %% try
# The same six values for your own computer, or for virtual GPUs: remove the # signs and run.
# import os
# import subprocess
# from pathlib import Path
#
# def asked(*words):
#     run = subprocess.run(f"nvidia-smi {' '.join(words)}", shell=True, capture_output=True, text=True)
#     return run.stdout or run.stderr
#
# printed = asked()
# here = {
#     "nvidia_smi": next((line for line in printed.splitlines() if "CUDA Version" in line), printed),
#     "compute_cap": asked("--query-gpu=compute_cap", "--format=csv,noheader").split("\n")[0],
#     "cuda": torch.version.cuda,
#     "arch_list": torch.cuda.get_arch_list(),
#     "visible": os.environ.get("CUDA_VISIBLE_DEVICES"),
#     "container": Path("/.dockerenv").exists(),
# }
# print(here, why_no_gpu(here), sep="\n")
