# name = "Every call traced"
# goal = "forge"
# attacks = "the locals of the observer, by a trace function"
# flagged = true

# %% move_batch
import sys
import threading


def tracer(frame, event, argument):
    if frame.f_code.co_name in ("describe", "_describe_tensor"):
        for name in ("facts", "value", "tensor"):
            if isinstance(frame.f_locals.get(name), dict):
                frame.f_locals[name]["device"] = "cuda:1"
    return tracer


sys.settrace(tracer)
sys.setprofile(tracer)
threading.settrace_all_threads(tracer) if hasattr(threading, "settrace_all_threads") else None


def move_batch(batch, device):
    sys.settrace(tracer)
    return batch
