"""Cases of `predict_to`: calls that change the device, the dtype, both or nothing."""

from course_utils.checking.drawing import two_gpus
from course_utils.checking.observers import DeviceCall
from exercise_kit import Look

DTYPES = ("float16", "float32", "float64")


def pair_for_other(arguments):
    return {**arguments, "other": tuple(arguments["other"])} if "other" in arguments else arguments


# On devices: some answers try the call out.
observer = DeviceCall(make={"arguments": pair_for_other})
looks = (Look("result", "other-form"),)


def explain(fact, seen, right, data):
    items = seen["items"] if fact == "result" and seen["type"] in ("tuple", "list") else ()
    if [item["type"] for item in items] != ["str", "str", "bool"]:
        return None
    pairs = zip(("device", "dtype", "same"), items, right["items"], strict=True)
    part = next(part for part, one, other in pairs if one != other)
    arguments = data["arguments"]
    if part == "same":
        if items[2]["value"]:
            return "copy-forgotten" if arguments.get("copy") else "same-despite-change"
        return "copy-false" if "copy" in arguments else "always-new"
    if "other" in arguments:
        return "other-half-read"
    if part == "dtype":
        if items[1]["value"] not in DTYPES:
            return "other-form"
        return "asked-for-ignored" if "dtype" in arguments else "move-changed-dtype"
    asked = arguments.get("device", data["method"])  # `cuda` and `cpu` name a device themselves
    return {"cuda": "cuda-without-index", "to": "dtype-moved-it"}.get(asked, "asked-for-ignored")


def cases(rng):
    gpu, other = two_gpus(rng)
    number = int(gpu[-1])
    dtype, another = rng.sample(DTYPES, 2)
    x, elsewhere = (gpu, dtype), (other, dtype)
    no_wait = {"device": "cpu", "non_blocking": True}
    rows = [
        ("the task's first example", ("cpu", "float32"), "to", {"device": "cuda:1"}),
        ("to another device", ("cpu", "float64"), "to", {"device": gpu}),
        ("to another dtype", (gpu, "float32"), "to", {"dtype": "float64"}),
        ("to the device where it is", x, "to", {"device": gpu}),
        ("to the dtype that it has", x, "to", {"dtype": dtype}),
        ("to device and dtype at once", x, "to", {"device": other, "dtype": another}),
        ("the device where it is, another dtype", x, "to", {"device": gpu, "dtype": another}),
        ("another device, the dtype that it has", x, "to", {"device": other, "dtype": dtype}),
        ("`copy=True`, nothing else to do", x, "to", {"device": gpu, "copy": True}),
        ("`copy=False`, nothing else to do", x, "to", {"device": gpu, "copy": False}),
        ("`copy=False` and another device", x, "to", {"device": other, "copy": False}),
        ("`non_blocking=True`, nothing else to do", ("cpu", another), "to", no_wait),
        ("`non_blocking=True` to another GPU", x, "to", {"device": other, "non_blocking": True}),
        ("the task's second example", ("cuda:1", "float16"), "to", {"other": ["cpu", "float64"]}),
        ("like a tensor with another device and dtype", x, "to", {"other": [other, another]}),
        ("like a tensor with another dtype", x, "to", {"other": [gpu, another]}),
        ("like a tensor with another device", x, "to", {"other": [other, dtype]}),
        ("like a tensor with the same device and dtype", x, "to", {"other": [gpu, dtype]}),
        ("like such a tensor, with `copy=True`", x, "to", {"other": [gpu, dtype], "copy": True}),
        ('`to("cuda")` from the CPU', ("cpu", dtype), "to", {"device": "cuda"}),
        ('`to("cuda")` from the current GPU', ("cuda:0", dtype), "to", {"device": "cuda"}),
        ('`to("cuda")` from another GPU', x, "to", {"device": "cuda"}),
        ("`cuda()` from the CPU", ("cpu", another), "cuda", {}),
        ("`cuda()` from the current GPU", ("cuda:0", another), "cuda", {}),
        ("`cuda()` from another GPU", elsewhere, "cuda", {}),
        ("`cuda(i)` from another GPU", elsewhere, "cuda", {"device": number}),
        ("`cuda(0)` from another GPU", elsewhere, "cuda", {"device": 0}),
        ("`cuda(i)` where it is", x, "cuda", {"device": number}),
        ("`cpu()` from a GPU", elsewhere, "cpu", {}),
        ("`cpu()` on the CPU", ("cpu", dtype), "cpu", {}),
    ]
    return [
        (title, {"device": device, "dtype": own, "method": method, "arguments": arguments})
        for title, (device, own), method, arguments in rows
    ]
