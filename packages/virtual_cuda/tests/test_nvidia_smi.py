"""nvidia-smi and NVML of the virtual machine: formats, agreement with torch.cuda, the command."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
import torch

import virtual_cuda
from virtual_cuda import OtherProcess, card, nvidia_smi, runtime
from virtual_cuda.nvidia import nvml, smi

pytestmark = pytest.mark.usefixtures("no_machine")
MIB = 1 << 20
MEMORY = "--query-gpu=index,memory.total,memory.used,memory.free"
BARE = "--format=csv,noheader,nounits"


def enable(**settings) -> virtual_cuda.Machine:
    """Three cards with 2048, 1024 and 512 MiB for CUDA; the middle one is the fastest."""
    settings.setdefault(
        "cards",
        [
            card("T4", memory="2 GiB", driver_reserved=0),
            card(
                "RTX 4090",
                memory="1 GiB",
                driver_reserved=300 * MIB,
                utilization=87,
                others=[
                    OtherProcess(3936, "100 MiB", "/home/ann/bin/train"),
                    OtherProcess(1200, "28 MiB", "/usr/lib/xorg/Xorg", "G"),
                ],
            ),
            card("A100", memory="512 MiB", driver_reserved=0),
        ],
    )
    return virtual_cuda.enable(quiet=True, **settings)


def on(device: int, mib: int) -> torch.Tensor:
    return torch.empty(mib * MIB, dtype=torch.uint8, device=f"cuda:{device}")


def numbers(text: str) -> list[list[int]]:
    return [[int(cell) for cell in line.split(",")] for line in text.splitlines()]


def entries(text: str, name: str) -> list[int]:
    """The MiB of all lines ``name : … MiB`` of ``-q``."""
    words = [line.split() for line in text.splitlines()]
    return [int(line[2]) for line in words if line[:2] == [name, ":"]]


# Agreement ------------------------------------------------------------------------------------


def test_text_nvml_and_torch_agree(monkeypatch):
    pynvml = pytest.importorskip("pynvml")
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID")  # as torch's NVML functions assume
    enable()
    kept = [on(0, 40), on(1, 20), on(1, 60)]
    rows = numbers(nvidia_smi(MEMORY, BARE))
    assert [row[2] for row in rows] == [40, 128 + 80, 0]
    queried = nvidia_smi("-q", "-d", "MEMORY")
    reserved = entries(queried, "Reserved")
    assert reserved == [0, 300, 0]
    table = nvidia_smi()
    for index, total, used, free in rows:
        cuda_free, cuda_total = torch.cuda.mem_get_info(index)
        assert (cuda_free, cuda_total) == (free * MIB, (total - reserved[index]) * MIB)
        assert used * MIB == cuda_total - cuda_free
        # Total, Used and Free of the frame buffer are each card's first of three groups.
        for name, amount in (("Total", total), ("Used", used), ("Free", free)):
            assert entries(queried, name)[3 * index] == amount
        assert f"{used}MiB / {total:>6}MiB" in table
        handle = pynvml.nvmlDeviceGetHandleByIndex(index)
        second = pynvml.nvmlDeviceGetMemoryInfo(handle, pynvml.nvmlMemory_v2)
        assert (second.total, second.used) == (total * MIB, used * MIB)
        assert (second.free, second.reserved) == (free * MIB, reserved[index] * MIB)
        first = pynvml.nvmlDeviceGetMemoryInfo(handle)
        assert first.used == first.total - first.free == (used + reserved[index]) * MIB
        assert torch.cuda.device_memory_used(index) == first.used
        properties = torch.cuda.get_device_properties(index)
        assert nvidia_smi("--query-gpu=name,uuid", "-i", str(index), BARE) == (
            f"{properties.name}, GPU-{properties.uuid}\n"
        )
        assert pynvml.nvmlDeviceGetName(handle) == properties.name
        assert pynvml.nvmlDeviceGetUUID(handle) == f"GPU-{properties.uuid}"
        assert pynvml.nvmlDeviceGetPciInfo(handle).bus == properties.pci_bus_id
        major_minor = (properties.major, properties.minor)
        assert pynvml.nvmlDeviceGetCudaComputeCapability(handle) == major_minor
        assert sum(n.bit_count() for n in pynvml.nvmlDeviceGetCpuAffinity(handle, 64)) >= 1
    del kept


def test_torch_cuda_readings(monkeypatch):
    pytest.importorskip("pynvml")
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    enable()
    fields = "utilization.gpu,utilization.memory,temperature.gpu,power.draw,clocks.sm"
    for index in range(3):
        row = nvidia_smi(f"--query-gpu={fields}", "-i", str(index), BARE).split(", ")
        busy, memory, temperature, power, clock = map(float, row)
        assert torch.cuda.utilization(index) == busy
        assert torch.cuda.memory_usage(index) == memory == 0
        assert torch.cuda.temperature(index) == temperature
        assert torch.cuda.power_draw(index) == pytest.approx(power * 1000, abs=5)
        assert torch.cuda.clock_rate(index) == clock
    assert torch.cuda.utilization(1) == 87


def test_utilization_comes_from_the_hook(monkeypatch):
    machine = enable()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", machine.devices[2].uuid)
    torch.cuda.init()
    monkeypatch.setattr(runtime.current(), "utilization", lambda index: 40 + index)
    column = nvidia_smi("--query-gpu=utilization.gpu", BARE)
    assert numbers(column) == [[0], [87], [40]]  # cuda:0 is nvidia-smi's number 2
    pytest.importorskip("pynvml")
    assert torch.cuda.utilization(0) == 40


def test_nvml_counts_in_pci_order_whatever_cuda_does():
    pytest.importorskip("pynvml")
    enable()  # FASTEST_FIRST: cuda:0 is nvidia-smi's number 1
    kept = on(0, 40)
    assert torch.cuda.get_device_name(0) == "Virtual GeForce RTX 4090"
    assert [row[2] for row in numbers(nvidia_smi(MEMORY, BARE))] == [0, 168, 0]
    # torch looks at NVML's card 0, as it does on a real mixed machine (pytorch issue 86539)
    assert torch.cuda.device_memory_used(0) == 0
    assert torch.cuda.device_memory_used(1) == 468 * MIB
    del kept


def test_processes():
    pytest.importorskip("pynvml")
    enable()
    assert torch.cuda.list_gpu_processes(0) == "GPU:0\nno processes are running"
    kept = on(0, 40)
    listed = torch.cuda.list_gpu_processes(1)
    assert listed == (
        "GPU:1\n"
        f"process {3936:>10d} uses {100:>12.3f} MB GPU memory\n"
        f"process {os.getpid():>10d} uses {40:>12.3f} MB GPU memory"
    )
    apps = nvidia_smi("--query-compute-apps=pid,used_memory,gpu_bus_id", "--format=csv")
    assert apps.splitlines() == [
        "pid, used_gpu_memory [MiB], gpu_bus_id",
        "3936, 100 MiB, 00000000:3D:00.0",
        f"{os.getpid()}, 40 MiB, 00000000:3D:00.0",
    ]
    table = nvidia_smi()
    assert f"{os.getpid()}      C   " in table
    assert "1200      G   /usr/lib/xorg/Xorg" in table
    del kept
    torch.cuda.empty_cache()
    assert str(os.getpid()) not in nvidia_smi("--query-compute-apps=pid", "--format=csv")


def test_nvidia_smi_shows_what_is_reserved_not_what_lives():
    enable()
    on(0, 40)  # dropped at once
    assert torch.cuda.memory_allocated(0) == 0
    assert numbers(nvidia_smi(MEMORY, BARE))[1][2] == 128 + 40
    torch.cuda.empty_cache()
    assert numbers(nvidia_smi(MEMORY, BARE))[1][2] == 128


def test_nvml_finds_cards_and_refuses_the_others():
    pynvml = pytest.importorskip("pynvml")
    machine = enable()
    pynvml.nvmlInit()
    assert pynvml.nvmlDeviceGetCount() == 3
    for index, one in enumerate(machine.devices):
        for handle in (
            pynvml.nvmlDeviceGetHandleByUUID(one.uuid),
            pynvml.nvmlDeviceGetHandleByPciBusId(one.bus_id),
        ):
            assert pynvml.nvmlDeviceGetIndex(handle) == index
    with pytest.raises(pynvml.NVMLError_InvalidArgument):
        pynvml.nvmlDeviceGetHandleByIndex(3)
    with pytest.raises(pynvml.NVMLError_NotFound):
        pynvml.nvmlDeviceGetHandleByUUID("GPU-none")
    with pytest.raises(pynvml.NVMLError_NotSupported):
        pynvml.nvmlDeviceGetFanSpeed(pynvml.nvmlDeviceGetHandleByIndex(0))
    assert pynvml.nvmlDeviceGetFanSpeed(pynvml.nvmlDeviceGetHandleByIndex(1)) == 30
    assert pynvml.nvmlSystemGetDriverVersion() == machine.driver
    pynvml.nvmlShutdown()


def test_pynvml_is_put_back():
    pynvml = pytest.importorskip("pynvml")
    before = pynvml.nvmlDeviceGetCount
    enable()
    assert pynvml.nvmlDeviceGetCount is not before
    virtual_cuda.disable()
    assert pynvml.nvmlDeviceGetCount is before
    with pytest.raises(RuntimeError, match="Virtual GPUs are off"):
        nvidia_smi()


# Formats --------------------------------------------------------------------------------------


def grep(text: str, pipeline: str) -> list[int]:
    """The MiB that a shell pipeline of the seeds finds."""
    done = subprocess.run(["sh", "-c", pipeline], input=text, capture_output=True, text=True)
    return [int(line.split()[2]) for line in done.stdout.splitlines()]


def test_the_pipeline_of_old_tutorials():
    enable()
    older = nvidia_smi("-q", "-d", "Memory", layout="older")
    newer = nvidia_smi("-q", "-d", "Memory", layout="newer")
    free = [2048, 896, 512]
    assert grep(older, "grep -A4 GPU | grep Free") == free
    assert grep(newer, "grep -A4 GPU | grep Free") == []  # the Reserved line pushed it out
    assert len(grep(older, "grep Free")) == 6 and len(grep(newer, "grep Free")) == 9
    assert grep(newer, "grep -A5 GPU | grep Free") == free
    first_group = subprocess.run(
        ["grep", "-m1", "-A4", "GPU 0000"], input=older, capture_output=True, text=True
    ).stdout.splitlines()
    assert len(first_group) == 5


def test_the_memory_report_line_by_line():
    enable(driver="470.82.01")
    lines = nvidia_smi("-q", "-d", "MEMORY", "-i", "1").splitlines()
    assert lines[:3] == ["", "==============NVSMI LOG==============", ""]
    assert lines[3].startswith("Timestamp                                 : ")
    assert lines[4:] == [
        "Driver Version                            : 470.82.01",
        "CUDA Version                              : 11.4",
        "",
        "Attached GPUs                             : 3",
        "GPU 00000000:3D:00.0",
        "    FB Memory Usage",
        "        Total                             : 1024 MiB",
        "        Used                              : 128 MiB",
        "        Free                              : 896 MiB",
        "    BAR1 Memory Usage",
        "        Total                             : 256 MiB",
        "        Used                              : 2 MiB",
        "        Free                              : 254 MiB",
        "",
    ]


def test_csv():
    machine = enable()
    fields = "index,name,memory.total,memory.free,memory.used,utilization.gpu,uuid,pci.bus_id"
    one = machine.devices[1]
    header = (
        "index, name, memory.total [MiB], memory.free [MiB], memory.used [MiB], "
        "utilization.gpu [%], uuid, pci.bus_id, driver_version"
    )
    values = ["1", one.name, "1324 MiB", "896 MiB", "128 MiB", "87 %", one.uuid, one.bus_id]
    values.append("580.65.06")
    query = (f"--query-gpu={fields},driver_version", "-i", "1")
    row = ", ".join(values)
    assert nvidia_smi(*query, "--format=csv") == f"{header}\n{row}\n"
    assert nvidia_smi(*query, "--format=csv,noheader") == f"{row}\n"
    plain = row.replace(" MiB", "").replace(" %", "")
    assert nvidia_smi(*query, "--format=csv,nounits") == f"{header}\n{plain}\n"
    assert nvidia_smi(*query, BARE) == f"{plain}\n"
    assert nvidia_smi("--query-gpu", "gpu_name", "-i", one.uuid, "--format=csv") == (
        f"name\n{one.name}\n"
    )


def test_list():
    machine = enable()
    assert nvidia_smi("-L") == "".join(
        f"GPU {index}: {one.name} (UUID: {one.uuid})\n" for index, one in enumerate(machine.devices)
    )
    assert nvidia_smi("--list-gpus", "--id=00000000:3D:00.0").startswith("GPU 1: Virtual GeForce")


@pytest.mark.parametrize(
    ("arguments", "text", "code"),
    [
        (["--query-gpu=nope", BARE], 'Field "nope" is not a valid field to query.\n\n', 2),
        (["-i", "3"], "No devices were found\n", 6),
        (["-L", "-i", "0,9"], "No devices were found\n", 6),
        (["-l", "s"], "ERROR: Option -l s is not recognized. Please run 'nvidia-smi -h'.\n\n", 2),
        (["-lms"], "ERROR: Option -lms is not recognized. Please run 'nvidia-smi -h'.\n\n", 2),
        (["-i"], "ERROR: Option -i is not recognized. Please run 'nvidia-smi -h'.\n\n", 2),
    ],
)
def test_refusals(arguments, text, code):
    enable()
    assert smi.run(nvml.report(), arguments) == (text, code)
    assert nvidia_smi(*arguments) == text


def test_loop_until_it_is_ended():
    enable()
    with virtual_cuda.install_nvidia_smi():
        command = ["nvidia-smi", "--query-gpu=index", BARE, "-lms", "1"]
        looping = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert looping.stdout is not None
        with looping.stdout as printed:
            rounds = [printed.readline() for _ in range(6)]
        looping.terminate()
        looping.wait()
    assert rounds == 2 * ["0\n", "1\n", "2\n"]
    assert nvidia_smi("--query-gpu=index", BARE, "-l") == nvidia_smi("--query-gpu=index", BARE)


def test_fields_that_only_newer_drivers_have():
    enable()
    for field in ("memory.reserved", "compute_cap"):
        assert "not a valid" not in nvidia_smi(f"--query-gpu={field}", BARE)
        assert "not a valid" in nvidia_smi(f"--query-gpu={field}", BARE, layout="older")
    with pytest.raises(ValueError, match="layout='old' is not possible"):
        nvidia_smi(layout="old")


def a_report(driver: str, **figures) -> smi.Report:
    plain = {
        "index": 0,
        "uuid": "GPU-0",
        "capability": "0.0",
        "reserved": 0,
        "power_limit": 120,
        "temperature": 49,
        "fan": 0,
        "clock": 0,
        "ecc": False,
        "mig": False,
        "processes": (),
    }
    return smi.Report(driver, 0.0, (smi.Card(**(plain | figures)),))


def test_narrow_table_against_a_public_log():
    report = a_report(
        "460.32.03",
        name="GeForce RTX 2080 Ti",
        bus_id="00000000:0A:00.0",
        total=11019 * MIB,
        used=5 * MIB,
        utilization=0,
        temperature=31,
        power=8,
        power_limit=260,
    )
    lines = smi.run(report, [])[0].splitlines()
    assert lines[1:12] == [
        "+-----------------------------------------------------------------------------+",
        "| NVIDIA-SMI 460.32.03    Driver Version: 460.32.03    CUDA Version: 11.2     |",
        "|-------------------------------+----------------------+----------------------+",
        "| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |",
        "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |",
        "|                               |                      |               MIG M. |",
        "|===============================+======================+======================|",
        "|   0  GeForce RTX 208...  Off  | 00000000:0A:00.0 Off |                  N/A |",
        "|  0%   31C    P8     8W / 260W |      5MiB / 11019MiB |      0%      Default |",
        "|                               |                      |                  N/A |",
        "+-------------------------------+----------------------+----------------------+",
    ]
    assert lines[15] == (
        "|  GPU   GI   CI        PID   Type   Process name                  GPU Memory |"
    )
    assert len(lines[0]) == 31 and {len(line) for line in lines[1:]} == {79}


def test_wide_table_against_a_public_log():
    report = a_report(
        "550.163.01",
        name="NVIDIA GeForce GTX 1060 6GB",
        bus_id="00000000:01:00.0",
        total=6144 * MIB,
        used=195 * MIB,
        utilization=2,
        power=9,
    )
    lines = smi.run(report, [])[0].splitlines()
    assert lines[2:12] == [
        "| NVIDIA-SMI 550.163.01             Driver Version: 550.163.01     "
        "CUDA Version: 12.4     |",
        "|-----------------------------------------+------------------------+"
        "----------------------+",
        "| GPU  Name                 Persistence-M | Bus-Id          Disp.A "
        "| Volatile Uncorr. ECC |",
        "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage "
        "| GPU-Util  Compute M. |",
        "|                                         |                        "
        "|               MIG M. |",
        "|=========================================+========================+"
        "======================|",
        "|   0  NVIDIA GeForce GTX 1060 6GB    Off |   00000000:01:00.0 Off "
        "|                  N/A |",
        "|  0%   49C    P8              9W /  120W |     195MiB /   6144MiB "
        "|      2%      Default |",
        "|                                         |                        "
        "|                  N/A |",
        "+-----------------------------------------+------------------------+"
        "----------------------+",
    ]
    assert {len(line) for line in lines[1:]} == {91}


@pytest.mark.parametrize("layout", ["older", "newer"])
def test_tables_stay_in_their_frame(layout):
    long = OtherProcess(2**22, "1 MiB", "/a/very/long/" + "path/" * 20 + "python")
    enable(cards=[card("H200", others=[long], utilization=100)] * 2)
    lines = nvidia_smi(layout=layout).splitlines()[1:]
    assert len({len(line) for line in lines}) == 1
    assert sum("..." in line and "path/python" in line for line in lines) == 2


def test_reports_survive_json():
    enable()
    report = nvml.report()
    assert smi.Report.from_json(report.to_json()) == report


# The command ----------------------------------------------------------------------------------


def shell(line: str) -> str:
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False).stdout


def test_the_command_shows_the_moment():
    path = os.environ["PATH"]
    enable()
    with virtual_cuda.install_nvidia_smi():
        assert numbers(shell(f"nvidia-smi {MEMORY} {BARE}"))[1] == [1, 1324, 128, 896]
        kept = on(0, 40)
        assert numbers(shell(f"nvidia-smi {MEMORY} {BARE}"))[1] == [1, 1324, 168, 856]
        assert shell("nvidia-smi -L") == nvidia_smi("-L")
        assert shell("nvidia-smi -i 7 || echo $?") == "No devices were found\n6\n"
        assert shell("nvidia-smi -q -d Memory | grep -A4 GPU | grep Free") == ""
        del kept
    assert os.environ["PATH"] == path and "virtual" not in (shutil.which("nvidia-smi") or "")


def test_the_freest_card_chosen_before_cuda_starts(monkeypatch):
    enable()
    with virtual_cuda.install_nvidia_smi():
        done = subprocess.run(
            ["nvidia-smi", "--query-gpu=index,memory.free", BARE], capture_output=True, text=True
        )
    free = dict(numbers(done.stdout))
    best = max(free, key=lambda index: (free[index], -index))
    assert best == 0
    # The number is nvidia-smi's: CUDA's own order would take the fastest card for it.
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", str(best))
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    assert torch.cuda.get_device_name() == "Virtual Tesla T4"
    assert torch.cuda.mem_get_info()[0] == free[best] * MIB


def test_the_command_survives_a_lost_reference_and_says_when_there_is_no_machine():
    enable()
    virtual_cuda.install_nvidia_smi()
    try:
        again = virtual_cuda.install_nvidia_smi()  # a notebook's cell may run twice
        assert shell("nvidia-smi -L").count("\n") == 3
        virtual_cuda.disable()
        text = shell("nvidia-smi; echo $?")
        assert text.startswith("NVIDIA-SMI has failed because it couldn't communicate with the")
        assert text.endswith("\n9\n")
    finally:
        again.close()


def test_installing_it_again_finds_its_place_on_a_path_that_was_changed(monkeypatch):
    enable()
    with virtual_cuda.install_nvidia_smi():
        monkeypatch.setenv("PATH", os.defpath)
        virtual_cuda.install_nvidia_smi()
        assert shell("nvidia-smi -L").count("\n") == 3


def test_os_system_sees_it_too(capfd):
    enable()
    with virtual_cuda.install_nvidia_smi():
        kept = on(2, 30)
        os.system("nvidia-smi --query-compute-apps=used_memory --format=csv,noheader")
        del kept
    assert capfd.readouterr().out.splitlines() == ["30 MiB", "100 MiB"]
