"""Cases of `fix_freest`: where the freest GPU is, how large the others are, and where they tie."""

from course_utils.checking.drawing import tensor
from exercise_kit import Look, Raises

looks = (
    Look("failed", "no-gpu", wants="the batch on the CPU"),
    Look("result", "other-batch", parts={"device": "other-device"}),
    Look("elsewhere", "copied-elsewhere", says="something was put on"),
    Look("put", "copied-too-often", most=True, says="tensors that were put on the GPU"),
)
raises = (Raises("guard-inverted", "UnboundLocalError"),)


def explain(fact, seen, right, data):
    if fact == "failed":
        return "no-gpu"
    if fact != "result" or seen.get("device") in (None, right["device"]):
        return None
    if seen["device"] == "cpu":
        return "on-the-cpu"
    if len(set(data["total"])) > 1:
        return None
    index = int(seen["device"].removeprefix("cuda:"))
    as_much = data["free"][index : index + 1] == [max(data["free"])]
    return "ties-reversed" if as_much else "other-device"


def cases(rng):
    def machine(free, total=None, device="cpu"):
        values = [[float(rng.randint(1, 99)) for _ in range(3)] for _ in range(2)]
        sizes = total or [24_000] * len(free)
        return {"free": free, "total": sizes, "batch": tensor(values, device)}

    def freest_at(index, gpus=4):
        rest = rng.sample(range(1_000, 18_000), gpus - 1)
        return [*rest[:index], rng.randint(18_500, 23_000), *rest[index:]]

    equal = freest_at(1)
    equal[3] = equal[1]
    same = [rng.randint(1_000, 20_000)] * 4
    # The largest has neither the most free memory, nor the second most, nor the least.
    mixed = [rng.randint(16_000, 18_000), rng.randint(10_000, 14_000), 20_000, 9_000]
    lengths = [rng.randint(2_000, 5_000), rng.randint(10_000, 19_000), 9_000, rng.randint(100, 999)]
    large = [80_000, 24_000, 24_000, 24_000]
    return [
        ("four GPUs, the third is the freest", machine(mixed, [24_000, 80_000, 24_000, 24_000])),
        ("the first is the freest", machine(freest_at(0))),
        ("the last is the freest", machine(freest_at(3))),
        ("a large GPU that is nearly full", machine(freest_at(3), large)),
        ("a large GPU that is the freest", machine([30_000, *freest_at(0, gpus=3)], large)),
        ("amounts of different lengths", machine(lengths)),
        ("two GPUs with the same amount", machine(equal)),
        ("two GPUs of different sizes with the same amount", machine(equal, large[::-1])),
        ("all GPUs with the same amount", machine(same)),
        ("all GPUs are full", machine([0] * 4)),
        ("two visible GPUs", machine(freest_at(1, gpus=2))),
        ("one visible GPU", machine(freest_at(0, gpus=1))),
        ("the batch is on another GPU", machine(freest_at(2), device="cuda:1")),
        ("the batch is there already", machine(freest_at(1), device="cuda:1")),
        ("no visible GPU", machine([])),
    ]
