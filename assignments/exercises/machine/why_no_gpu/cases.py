"""Cases of `why_no_gpu`: each cause alone, several together, and machines on which all is well.

The lists of architectures are those of PyTorch 2.13 (`torch.cuda.PYTORCH_RELEASES_CODE_CC`); that
builds may have PTX as well: pytorch#164471. Which cards code and PTX fit: CUDA programming guide,
"Binary Compatibility" and "PTX Compatibility". What `CUDA_VISIBLE_DEVICES` shows: the same, 5.2.1.1
("If one of the indices is invalid, only the devices whose index precedes the invalid index are
visible to CUDA applications").
"""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look, Raises

NO_DRIVER = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that "
    "the latest NVIDIA driver is installed and running."
)
TWO_DRIVERS = "Failed to initialize NVML: Driver/library version mismatch"
OLD_TABLE = f"| NVIDIA-SMI {'390.48':22} Driver Version: {'390.48':36} |"
NO_TOOL = ("bash: nvidia-smi: command not found", "/bin/sh: 1: nvidia-smi: not found")
DRIVERS = {
    "11": (("450.80.02", "11.0"), ("470.86", "11.4")),
    "12": (("535.104.05", "12.2"), ("550.54.14", "12.4"), ("576.02", "12.9")),
    "13": (("580.65.06", "13.0"), ("590.44.01", "13.1")),
}
"""A driver of 580 is the last for cards before 7.5, and one of 576 knows cards of 12.0."""
BUILDS = {
    "12.6": ("sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"),
    "13.0": ("sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"),
    "13.2": ("sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"),
}


UUID = "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"

TEN = ["sm_75", "sm_80", "sm_90", "sm_100"]

CAUSES = {"container", "driver", "build", "version", "hidden", "architecture"}


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a list of causes that differs; None where `too_many_or_too_few` tells."""
    if fact != "result":
        return None
    if seen["type"] == "str":
        return "as-one-word"
    if seen["type"] in ("tuple", "set"):
        return "no-list"
    if seen["type"] == "NoneType" and not right["items"]:
        return "well-is-a-list"
    if seen["type"] != "list":
        return None
    causes, wanted = named(seen), named(right)
    if not set(causes) <= CAUSES:
        return "other-words"
    if len(set(causes)) < len(causes):
        return "named-twice"
    if sorted(causes) == sorted(wanted):
        return "other-order"
    differing = set(causes) ^ set(wanted)
    if differing == {"hidden"} and lists_indices(data):
        return "first-entry-decides"
    if differing == {"hidden"} and has_uuid(data):
        return "uuid-names-a-card"
    return "ptx-is-translated" if differing == {"architecture"} and has_ptx(data) else None


def named(described: Mapping[str, Any]) -> list[str]:
    """The causes in a described list, as strings."""
    return [str(each.get("value")) for each in described.get("items", ())]


def too_many_or_too_few(
    seen: Mapping[str, Any], right: Mapping[str, Any], data: Mapping[str, Any]
) -> str:
    """The finding for a list with a cause too many, or with one too few."""
    return "cause-blamed" if set(named(seen)) - set(named(right)) else "cause-missed"


def fails(data: Mapping[str, Any]) -> bool:
    """Whether `nvidia-smi` prints an error instead of its table."""
    return "Driver Version" not in data["report"]["nvidia_smi"]


def tells_no_cuda(data: Mapping[str, Any]) -> bool:
    """Whether the table of `nvidia-smi` has no CUDA version."""
    return not fails(data) and "CUDA Version" not in data["report"]["nvidia_smi"]


def lists_indices(data: Mapping[str, Any]) -> bool:
    """Whether `CUDA_VISIBLE_DEVICES` lists several indices."""
    return "," in (data["report"]["visible"] or "")


def has_uuid(data: Mapping[str, Any]) -> bool:
    """Whether `CUDA_VISIBLE_DEVICES` names a card by its UUID."""
    return data["report"]["visible"] == UUID


def has_ptx(data: Mapping[str, Any]) -> bool:
    """Whether the build of PyTorch has PTX."""
    return any(name.startswith("compute_") for name in data["report"]["arch_list"])


def is_empty(data: Mapping[str, Any]) -> bool:
    """Whether `CUDA_VISIBLE_DEVICES` is set and empty."""
    return data["report"]["visible"] == ""


looks = (Look("result", too_many_or_too_few, exact=True),)
raises = (
    *(Raises("none-taken-apart", kind, "NoneType") for kind in ("AttributeError", "TypeError")),
    Raises("empty-is-no-number", "ValueError", when=is_empty),
    Raises("first-entry-decides", "ValueError", "','", when=lists_indices),
    Raises("first-entry-decides", "ValueError", "base 10: '0,1'", when=lists_indices),
    Raises("first-entry-decides", "ValueError", "base 10: '1,0'", when=lists_indices),
    Raises("uuid-names-a-card", "ValueError", "GPU-", when=has_uuid),
    Raises("ptx-is-translated", "ValueError", "base 10", when=has_ptx),
    Raises("one-digit", "ValueError", "'9.'"),
    *(Raises("error-taken-for-a-table", kind, when=fails) for kind in ("IndexError", "ValueError")),
    *(
        Raises("table-without-cuda", kind, when=tells_no_cuda)
        for kind in ("IndexError", "ValueError")
    ),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the report on a machine."""

    def line(driver: str, cuda: str) -> str:
        return f"| NVIDIA-SMI {driver:22} Driver Version: {driver:14} CUDA Version: {cuda:8} |"

    def smi(major: str) -> str:
        return line(*rng.choice(DRIVERS[major]))

    def report(
        nvidia_smi: str,
        cap: str,
        cuda: str | None,
        visible: str | None = None,
        container: bool = False,
        **changes: list[str],
    ) -> dict[str, Any]:
        works = "CUDA Version" in nvidia_smi
        return {
            "nvidia_smi": nvidia_smi,
            "compute_cap": cap if works else None,
            "cuda": cuda,
            "arch_list": list(BUILDS.get(cuda or "", ())),
            "visible": visible,
            "container": container,
        } | changes

    broken, missing = rng.choice([NO_DRIVER, TWO_DRIVERS]), rng.choice(NO_TOOL)
    usual = rng.choice(["8.0", "8.6", "8.9", "9.0"])
    older, laptop, newer = (line(*DRIVERS[at][n]) for at, n in (("12", 0), ("12", 2), ("13", 0)))
    rows = [
        ("the task's laptop", report(laptop, "8.9", None)),
        ("code for this GPU only", report(newer, "8.0", "13.0", arch_list=["sm_80"])),
        ("a GPU of 8.9, code for 8.6 only", report(newer, "8.9", "13.0", arch_list=["sm_86"])),
        ("nothing is wrong", report(smi("13"), usual, "13.0")),
        ("a driver that does not answer", report(NO_DRIVER, usual, "13.0")),
        ("parts of the driver with different versions", report(TWO_DRIVERS, usual, "13.0")),
        ("no `nvidia-smi`", report(missing, usual, "12.6")),
        ("a driver of 2018, whose table has no `CUDA Version`", report(OLD_TABLE, usual, "13.0")),
        ("no `nvidia-smi`, in a container", report(missing, usual, "13.0", container=True)),
        ("a container that was started with its GPU", report(newer, usual, "13.0", container=True)),
        ("a container with a build for the CPU", report(newer, usual, None, container=True)),
        ("a driver for CUDA 12, a PyTorch for 13", report(smi("12"), usual, "13.0")),
        ("a driver for CUDA 11, a PyTorch for 12", report(smi("11"), "8.0", "12.6")),
        ("a driver for a newer major version", report(smi("13"), usual, "12.6")),
        ("a driver for an older minor version", report(older, usual, "12.6")),
        ("13.2 where the driver supports 13.0", report(newer, usual, "13.2")),
        (
            "a driver for CUDA 12, a PyTorch for 9",
            report(smi("12"), "7.0", "9.2", arch_list=["sm_70"]),
        ),
        ("the variable is the index of the GPU", report(smi("13"), usual, "13.0", "0")),
        ("the variable is another index", report(smi("13"), usual, "13.0", rng.choice("123"))),
        ("the variable is -1", report(smi("13"), usual, "13.0", "-1")),
        ("the variable is 10", report(smi("13"), usual, "13.0", "10")),
        ("the variable is empty", report(smi("13"), usual, "13.0", "")),
        ("a GPU of 6.1, code from 7.5 on", report(newer, "6.1", "13.2")),
        ("a GPU of 12.0, code up to 9.0", report(laptop, "12.0", "12.6")),
        ("a GPU of 12.1, code for 12.0", report(smi("13"), "12.1", "13.0")),
        ("a GPU of 10.3, code for 10.0", report(smi("13"), "10.3", "13.0")),
        ("a GPU of 7.0, code from 7.5 on", report(newer, "7.0", "13.0")),
        (
            "a GPU of 9.0, code for 8.6 and for 12.0",
            report(smi("13"), "9.0", "13.0", arch_list=["sm_86", "sm_120"]),
        ),
        (
            "a GPU of 12.0, and its code is the last in the list",
            report(smi("13"), "12.0", "13.0", arch_list=["sm_80", "sm_120"]),
        ),
        ("no driver, and a build for the CPU", report(broken, usual, None)),
        ("a build for the CPU, and a hidden GPU", report(smi("12"), usual, None, "")),
        (
            "an older PyTorch, which lists nothing if the GPU is hidden",
            report(smi("12"), usual, "12.1", "1", arch_list=[]),
        ),
        ("an old driver, and a hidden GPU", report(smi("11"), "8.0", "12.6", "1")),
        ("no driver, and a hidden GPU", report(missing, usual, "13.0", "-1")),
        ("an old driver, and no code for the GPU", report(smi("12"), "7.0", "13.0")),
        ("a hidden GPU, and no code for it", report(laptop, "12.0", "12.6", "2")),
        (
            "a container without GPU, a build for the CPU, a hidden GPU",
            report(missing, usual, None, "", container=True),
        ),
        ("an old driver, a hidden GPU, no code for it", report(smi("12"), "6.1", "13.0", "")),
        ("a GPU of 12.0, code up to 10.0", report(laptop, "12.0", "12.8", arch_list=TEN)),
        (
            "a GPU of 10.0, code for 9.0 and for 12.0",
            report(newer, "10.0", "13.0", arch_list=["sm_90", "sm_120"]),
        ),
        ("two indices, the index of the GPU first", report(smi("13"), usual, "13.0", "0,1")),
        ("two indices, the index of the GPU last", report(smi("13"), usual, "13.0", "1,0")),
        ("a GPU named by its UUID", report(smi("13"), usual, "13.0", UUID)),
        (
            "a GPU of 12.0, code for 9.0 and PTX of it",
            report(newer, "12.0", "13.0", arch_list=["sm_90", "compute_90"]),
        ),
        (
            "a GPU of 8.6, code for 9.0 and PTX of it",
            report(newer, "8.6", "13.0", arch_list=["sm_90", "compute_90"]),
        ),
    ]
    return [(title, {"report": each}) for title, each in rows]
