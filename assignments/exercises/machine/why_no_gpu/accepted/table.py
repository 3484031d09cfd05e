import re


def why_no_gpu(report):
    smi = re.search(r"CUDA Version: (\d+)", report["nvidia_smi"])
    built = report["cuda"] and int(report["cuda"].partition(".")[0])
    capability = smi and tuple(map(int, report["compute_cap"].split(".")))
    causes = {
        "container": not smi and report["container"],
        "driver": not smi and not report["container"],
        "build": not built,
        "version": smi and built and built > int(smi[1]),
        "hidden": report["visible"] is not None and not re.match(r"0(,|$)|GPU-", report["visible"]),
        "architecture": smi and report["arch_list"] and not any(
            code <= capability and ("compute" in name or capability < (code[0] + 1, 0))
            for name in report["arch_list"]
            for code in [divmod(int(name.split("_")[1]), 10)]
        ),
    }
    return [cause for cause, holds in causes.items() if holds]
