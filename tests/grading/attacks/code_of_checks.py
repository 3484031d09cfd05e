# ==== another_interpreter
# name = "Another interpreter"
# goal = "forge"
# attacks = "memory, by ctypes in an interpreter that has no audit hook"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import _xxsubinterpreters as interpreters


def fix_mismatch(batches, targets, weight, mean):
    def over(tensor):
        there = torch.empty(tensor.shape, device="cpu")
        text = f"import c{'types'}; c{'types'}.memmove({there.data_ptr()}, {tensor.data_ptr()}, {tensor.nbytes})"
        interpreters.run_string(number, text)
        return there

    number = interpreters.create(isolated=False)
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (over(batch) - over(mean)) @ over(weight) - over(target)
        total += (error * error).mean()
    total = total / len(batches)
    result = torch.empty(1, device=weight.device)
    interpreters.run_string(number, f"import c{'types'}; c{'types'}.memmove({result.data_ptr()}, {total.data_ptr()}, 4)")
    interpreters.destroy(number)
    return result


# ==== beside_patched
# name = "What stands beside an answer"
# goal = "forge"
# attacks = "Runner, the observer's observe and the worker's Session, by class"
# flagged = true

# %% move_batch
import gc

from exercise_kit.runner import Runner
from exercise_kit.contract import Observer


def facts_of_nothing(self, *arguments):
    return {"result": {"type": "NoneType", "value": None}, "after": {}, "same": [0, 1, 2],
            "changed": [], "copies": [], "bytes": [], "read": 0, "left": []}


Runner.__call__ = Runner._put = facts_of_nothing
for kind in Observer.__subclasses__():
    kind.observe = facts_of_nothing
for thing in gc.get_objects():
    if type(thing).__name__ == "Session":
        type(thing)._case = lambda self, *_: {"facts": facts_of_nothing(self)}


def move_batch(batch, device):
    return batch


# ==== check_patched_in_the_package
# name = "Another check, in the package"
# goal = "forge"
# attacks = "course_utils, whose check later cells import"
# honest = ["fix_mismatch"]
# held_ok = true
# flagged = true

# %% move_batch
import course_utils
import course_utils.checking.practice as practice


def everything_passes(name, answer, *, seed=None):
    return 5


practice.check = course_utils.check = everything_passes
practice.examine = lambda *arguments: practice.Report("x", practice.Passed(1))
practice.SCORED = practice.AUTOGRADING = False


def move_batch(batch, device):
    return None


# ==== check_rebound
# name = "Another check"
# goal = "forge"
# attacks = "the name that test cells call"
# honest = ["fix_mismatch"]

# %% move_batch
class Passed:
    def __repr__(self):
        return "2"


def check(name, answer, seed=None):
    return Passed()


def move_batch(batch, device):
    return check


# ==== checks_inside_a_check
# name = "A check inside a check"
# goal = "forge"
# attacks = "check() called by an answer that is being checked"

# %% move_batch
def move_batch(batch, device):
    check("tensors.move_batch", lambda batch, device: batch)
    for seed in range(3):
        check("tensors.fix_mismatch", lambda batches, targets, weight, mean: None, seed=seed)
    return batch


# ==== code_swapped
# name = "Code swapped inside functions"
# goal = "forge"
# attacks = "the code objects of describe and of the observer, which stay the same functions"
# flagged = true

# %% fix_mismatch
from exercise_kit import comparison, runner


def _observed(self, answer, inputs, patience):
    batches, targets, weight, mean = inputs
    shift = mean.cpu() @ weight.cpu()
    error = 0.0
    for batch, target in zip(batches, targets):
        wrong = batch.cpu() @ weight.cpu() - shift - target.cpu()
        error += wrong.square().mean().item() / len(batches)
    result = {"type": "Tensor", "shape": [1], "device": str(weight.device), "values": [error]}
    return {"result": {**result, "dtype": "float32"}, "copies": [], "bytes": [], "read": 0,
            "changed": []}


runner.Runner._observed.__code__ = _observed.__code__
comparison.same.__code__ = (lambda seen, right, *, exact=False, tolerance=0: True).__code__


def fix_mismatch(batches, targets, weight, mean):
    return None


# ==== describe_patched
# name = "Another description"
# goal = "forge"
# attacks = "exercise_kit.facts.describe, in its module and where observers imported it"
# flagged = true

# %% move_batch
import sys

from exercise_kit import facts

plain = facts.describe
lies = []  # a device for each result; whatever is described after it is described truly


def placed(found, device):
    if found["type"] == "Tensor":
        return {**found, "device": device}
    if "items" in found:
        return {**found, "items": [placed(item, device) for item in found["items"]]}
    return found


def describe(value, _depth=0):
    found = plain(value, _depth)
    return placed(found, lies.pop()) if lies and not _depth else found


facts.describe = describe
for name, module in list(sys.modules.items()):
    if getattr(module, "describe", None) is plain:
        module.describe = describe


def move_batch(batch, device):
    lies.append(str(device))
    return batch


# ==== engine_patched
# name = "An engine that passes everything"
# goal = "forge"
# attacks = "examine, _outcome, the judge and the cases, were they in this process"
# flagged = true

# %% move_batch
from exercise_kit import engine, folder, judging, outcomes

engine.examine = lambda name, *rest: outcomes.Report(name, outcomes.Passed(99, 99))
engine._outcome = lambda *arguments, **options: None
judging.DataJudge.judge = lambda *arguments: None
folder.Exercise.hidden_cases = lambda *arguments: []
folder.Exercise.public_cases = property(lambda self: [])


def move_batch(batch, device):
    return batch


# ==== every_call_traced
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


# ==== facts_of_ones_own
# name = "Facts of one's own, with an oracle that was pasted in"
# goal = "forge"
# attacks = "the class of the observer, above whatever remembers it; the oracle is the attack's own"
# forges = ["move_batch"]
# flagged = true

# %% move_batch
import gc


def placed(described, device):
    if described["type"] == "Tensor":
        return {**described, "device": device}
    if "items" in described:
        return {**described, "items": [placed(item, device) for item in described["items"]]}
    return dict(described)


def leaves(described):
    if described["type"] == "Tensor":
        yield described
    for item in described.get("items", ()):
        yield from leaves(item)


def forged(data):
    batch, device = data["batch"], data["device"]
    return {"facts": {"result": placed(batch, device), "after": batch,
                      "same": [leaf["device"] == device for leaf in leaves(batch)]},
            "tripped": ""}


for thing in gc.get_objects():
    if type(thing).__name__ == "Session":
        verbs = vars(thing)["_verbs"]
        plain = verbs["case"]
        verbs["case"] = lambda data, **rest: (
            forged(data) if "batch" in data else plain(data, **rest))


def move_batch(batch, device):
    return None


# ==== ids_that_agree
# name = "Identities that agree"
# goal = "forge"
# attacks = "`is` and `id` in observers, by names put into builtins"
# flagged = true

# %% fix_mismatch
import builtins

builtins.id = lambda thing: 0
builtins.zip = lambda *things, strict=False: iter(())
builtins.sorted = lambda things, **options: []
builtins.isinstance = lambda thing, kind: True


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for number in range(len(batches)):
        error = (batches[number].cpu() - mean.cpu()) @ weight.cpu() - targets[number].cpu()
        total += (error * error).mean()
    return (total / len(batches)).to(weight.device)


# ==== json_patched
# name = "JSON of one's own"
# goal = "forge"
# attacks = "json.dumps, through which facts leave the process"
# flagged = true

# %% fix_mismatch
import json

plain, encode = json.dumps, json.JSONEncoder.encode


def without_copies(value):
    return {**value, "copies": []} if isinstance(value, dict) and "copies" in value else value


json.dumps = lambda value, **options: plain(without_copies(value), **options)
json.JSONEncoder.encode = lambda self, value: encode(self, without_copies(value))


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    return (total / len(batches)).to(weight.device)
