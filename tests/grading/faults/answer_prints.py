# happened = "Answers print without end, to stdout and to stderr."
# %% add_on
import sys
import warnings


def add_on(a, b, where):
    warnings.warn("mind the device")
    print("adding" * 100_000)
    print("adding" * 100_000, file=sys.stderr)
    device = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

    def bring(x):
        return x.to(device) if x.dim() or x.is_cuda else x

    return bring(a) + bring(b)
