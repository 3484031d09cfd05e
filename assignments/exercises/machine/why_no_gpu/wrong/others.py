# %% all_entries
# finding: whole-list
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not all(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% always_the_driver
# finding: container-ignored
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% always_well
# finding: build-missed
def why_no_gpu(report):
    return []

# %% as_a_set
# finding: no-list
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return set(causes)

# %% as_a_tuple
# finding: no-list
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return tuple(causes)

# %% build_by_the_list
# finding: build-by-its-list
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if not report["arch_list"]:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% build_first
# finding: other-order
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return sorted(causes, key="build version container driver hidden architecture".split().index)

# %% cap_of_nothing
# finding: none-taken-apart
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% container_and_driver
# finding: driver-twice
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        if report["container"]:
            causes.append("container")
        causes.append("driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% cuda_alone
# finding: no-list-to-blame
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["cuda"] is not None:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% driver_alone
# finding: table-without-cuda
def why_no_gpu(report):
    causes = []
    works = "Driver Version" in report["nvidia_smi"]
    _, _, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and supported and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if report["compute_cap"] and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% driver_in_it
# finding: table-without-cuda
def why_no_gpu(report):
    causes = []
    works = "Driver Version" in report["nvidia_smi"]
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(report["nvidia_smi"].split("CUDA Version: ")[1].split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% each_entry
# finding: named-twice
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        for each in numbers:
            if each[:-1] != major or each[-1] > minor:
                causes.append("architecture")
    return causes

# %% empty_alone
# finding: no-such-card
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] == "":
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% empty_list_too
# finding: no-list-to-blame
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% empty_or_minus
# finding: no-such-card
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] in ("", "-1"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% equal_majors
# finding: must-be-equal
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) != int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% equal_minor
# finding: same-number-only
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] == minor for each in numbers):
            causes.append("architecture")
    return causes

# %% every_container
# finding: container-blamed
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if report["container"]:
        causes.append("container")
    elif not works:
        causes.append("driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% every_ptx
# finding: ptx-is-translated
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] is not None and not (report["visible"] + ",").startswith(("0,", "GPU-")):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        ptx = [name for name in report["arch_list"] if name.startswith("compute")]
        if not ptx and not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% failed_alone
# finding: one-message-alone
def why_no_gpu(report):
    causes = []
    works = "ailed" not in report["nvidia_smi"]
    supported = report["nvidia_smi"].split("CUDA Version: ")[-1] if "CUDA" in report["nvidia_smi"] else "99."
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if report["compute_cap"] and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% first_and_last
# finding: ends-of-the-list
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not int(numbers[0]) <= int(major + minor) <= int(numbers[-1]) + 9:
            causes.append("architecture")
    return causes

# %% first_character
# finding: digits-misread
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        cap = major + minor
        if not any(each[0] == cap[0] and int(each[1:]) <= int(cap[1:]) for each in numbers):
            causes.append("architecture")
    return causes

# %% first_digit
# finding: digits-misread
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[0] == major[0] and int(each[1:]) <= int(minor) for each in numbers):
            causes.append("architecture")
    return causes

# %% first_row
# finding: error-taken-for-a-table
def why_no_gpu(report):
    causes = []
    works = "NVIDIA-SMI" in report["nvidia_smi"]
    supported = report["nvidia_smi"].split("CUDA Version: ")[-1] if "CUDA" in report["nvidia_smi"] else "99."
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if report["compute_cap"] and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% first_two_characters
# finding: one-digit
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"][:2]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% hard_coded
# finding: cause-blamed
def why_no_gpu(report):
    return ["build", "hidden"] if report["visible"] == "1" else ["build"]

# %% hidden_if_true
# finding: empty-is-unset
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] and report["visible"] != "0":
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% index_as_number
# finding: empty-is-no-number
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] is not None and int(report["visible"]) != 0:
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% joined
# finding: as-one-word
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return ", ".join(causes)

# %% last_entry
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

# %% major_alone
# finding: any-of-its-kind
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major for each in numbers):
            causes.append("architecture")
    return causes

# %% name_in_the_list
# finding: same-number-only
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if f"sm_{major}{minor}" not in report["arch_list"]:
            causes.append("architecture")
    return causes

# %% newer_driver
# finding: version-missed
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) < int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% no_ptx
# finding: ptx-is-translated
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] is not None and not (report["visible"] + ",").startswith(("0,", "GPU-")):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% none_when_well
# finding: well-is-a-list
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes or None

# %% not_compared
# finding: version-missed
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and False:
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% not_found_alone
# finding: error-taken-for-a-table
def why_no_gpu(report):
    causes = []
    works = "not found" not in report["nvidia_smi"]
    supported = report["nvidia_smi"].split("CUDA Version: ")[-1] if "CUDA" in report["nvidia_smi"] else "99."
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if report["compute_cap"] and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% not_if_hidden
# finding: hidden-from-the-tool
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["cuda"] is not None and "hidden" not in causes:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% not_if_old
# finding: only-the-first
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if "version" not in causes and report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% not_newer
# finding: same-major
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) >= int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% one_entry
# finding: whole-list
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"][-1:]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% one_word
# finding: as-one-word
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes[0] if causes else ""

# %% other_words
# finding: other-words
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("invisible")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% pairs_of_numbers
# finding: minor-compared
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and [int(n) for n in report["cuda"].split(".")] > [int(n) for n in supported.strip(" |").split(".")]:
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% positive_index
# finding: no-such-card
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] == "" or int(report["visible"] or 0) > 0:
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% printed_alone
# finding: nothing-returned
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    print(causes)

# %% ptx_as_code
# finding: ptx-is-translated
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] is not None and not (report["visible"] + ",").startswith(("0,", "GPU-")):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        numbers = [name.partition("_")[2] for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% set_is_hidden
# finding: card-0-hidden
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] is not None:
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% sorted
# finding: other-order
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return sorted(causes)

# %% split_anyway
# finding: error-taken-for-a-table
def why_no_gpu(report):
    causes = []
    works = "NVIDIA-SMI" in report["nvidia_smi"]
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(report["nvidia_smi"].split("CUDA Version: ")[1].split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% strictly_less
# finding: equal-fits
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] < minor for each in numbers):
            causes.append("architecture")
    return causes

# %% two_digits
# finding: digits-misread
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[0] == major and each[1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% two_versions_alone
# finding: cause-missed
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and report["cuda"].startswith("13") and supported.startswith("12"):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% up_to_the_newest
# finding: any-newer-card
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(int(each) <= int(major + minor) for each in numbers):
            causes.append("architecture")
    return causes

# %% uuid_hides
# finding: uuid-names-a-card
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] is not None and report["visible"].split(",")[0] != "0":
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% version_in_it
# finding: error-taken-for-a-table
def why_no_gpu(report):
    causes = []
    works = "ersion" in report["nvidia_smi"]
    supported = report["nvidia_smi"].split("CUDA Version: ")[-1] if "CUDA" in report["nvidia_smi"] else "99."
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if report["compute_cap"] and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% whole_text
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
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% zero_anywhere
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
    if report["visible"] is not None and "0" not in report["visible"].split(","):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% zero_in_it
# finding: zero-in-it
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] is not None and "0" not in report["visible"]:
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% majors_as_texts
# finding: texts-compared
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and report["cuda"].split(".")[0] > supported.split(".")[0]:
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% number_zero
# finding: card-0-hidden
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    elif works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, 0):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes

# %% version_of_nothing
# finding: none-taken-apart
def why_no_gpu(report):
    causes = []
    _, works, supported = report["nvidia_smi"].partition("CUDA Version: ")
    if not works:
        causes.append("container" if report["container"] else "driver")
    if report["cuda"] is None:
        causes.append("build")
    if works and int(report["cuda"].split(".")[0]) > int(supported.split(".")[0]):
        causes.append("version")
    if report["visible"] not in (None, "0"):
        causes.append("hidden")
    if works and report["arch_list"]:
        major, minor = report["compute_cap"].split(".")
        numbers = [name.removeprefix("sm_") for name in report["arch_list"]]
        if not any(each[:-1] == major and each[-1] <= minor for each in numbers):
            causes.append("architecture")
    return causes
