"""Judge `modules.make_movable`.

The oracle computes the forward pass with plain Python numbers, and knows from the text of the
exercise what belongs into the checkpoint.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief
from course_utils.judging.modules.material import two_gpus, whole_numbers

NO_MODULE = FindingKind(
    name="no-module",
    title="the function returned no module",
    explanation="The result is a module object: an instance of a class that derives from "
    "`nn.Module`, not the class itself.",
    next_step="Create the module from its class, and return it.",
)
LAYERS_HIDDEN = FindingKind(
    name="layers-in-a-list",
    title="the module does not know its layers",
    explanation="A module registers what is assigned to an attribute *itself*. Inside a Python "
    "list, layers are out of its sight: they neither move, nor train, nor are saved.",
    next_step="Put the layers into an `nn.ModuleList`, in the attribute `layers`.",
)
TENSOR_TRAINED = FindingKind(
    name="fixed-tensor-trained",
    title="a fixed tensor became a parameter",
    explanation="Parameters are what `parameters()` gives to the optimizer. The mask and the scale "
    "have to move along, but nobody is to train or count them.",
    next_step="Register fixed tensors with `register_buffer`.",
)
MASK_SAVED = FindingKind(
    name="mask-in-checkpoint",
    title="the mask got into the checkpoint",
    explanation="It follows from `size`, so there is no need to save it, and checkpoints from "
    "before the repair have no such key.",
    next_step="Register the mask with `persistent=False`.",
)
SCALE_UNSAVED = FindingKind(
    name="scale-not-in-checkpoint",
    title="the scale is missing from the checkpoint",
    explanation="It was measured, so that it cannot be computed again: it has to be saved with the "
    "weights, under the key `scale`. A dict, like a list, is out of the module's sight.",
    next_step="Register the scale as a buffer of that name, and read it from there.",
)
OTHER_KEYS = FindingKind(
    name="other-keys",
    title="the checkpoint has other keys",
    explanation="Names of attributes become keys of the `state_dict`, and the checkpoints that "
    "exist rely on them.",
    next_step="Name the attributes `layers` and `scale`, and register nothing else that is saved.",
)
BORN_ELSEWHERE = FindingKind(
    name="born-on-a-gpu",
    title="the new module is not on the CPU",
    explanation="A device that is written into the class holds for every user of it, also for one "
    "without that GPU.",
    next_step="Create everything without a device, and let `to` move it.",
)
LEFT_BEHIND = FindingKind(
    name="left-behind",
    title="something did not come along, and the forward pass failed",
    explanation="`to`, `cuda`, `double` and their like reach parameters and buffers, those of "
    "submodules included, and nothing else. What is in a plain attribute, a list or a dict stays; "
    "and a `to` of your own is not called when a larger module is moved.",
    next_step="Register every tensor and every layer, and use them under their registered names.",
)
MOVED_IN_FORWARD = FindingKind(
    name="moved-in-forward",
    title="the forward pass copies between devices",
    explanation="A `to` inside `forward` hides the fault and repeats the copy with every batch. "
    "A registered buffer is copied once, when the module moves.",
    next_step="Take the moves out of `forward`, and register what they moved.",
)
NO_FORWARD = FindingKind(
    name="forward-raised",
    title="the module raised an error when it was run",
    explanation="Where it is and what it holds is well; something in `forward` is not.",
    next_step="Call your module on `torch.ones(2, size)` in a cell of its own.",
)
OTHER_RESULT = FindingKind(
    name="other-result",
    title="the module computes something else",
    explanation="The repair is about where things live. The forward pass is that of the exercise: "
    "layers with `relu`, then the mask, then the scale: at first 0.5, later as it was loaded.",
    next_step="Compare your `forward` with that of the exercise line by line.",
)
SIZE_IGNORED = FindingKind(
    name="depth-ignored",
    title="the module has another number of layers",
    explanation="`depth` says how many layers there are, and each of them is a layer of its own.",
    next_step="Create one `nn.Linear` for each number in `range(depth)`.",
)

# Words of the errors that devices or dtypes raise where they do not fit together.
MIXED = ("expected", "dtype", "same device", "should be the same")


class MakeMovable(Judge):
    """Compares what is registered, and then what the moved module computes."""

    name = "modules.make_movable"
    findings = (
        NO_MODULE,
        LAYERS_HIDDEN,
        TENSOR_TRAINED,
        MASK_SAVED,
        SCALE_UNSAVED,
        OTHER_KEYS,
        BORN_ELSEWHERE,
        LEFT_BEHIND,
        MOVED_IN_FORWARD,
        NO_FORWARD,
        OTHER_RESULT,
        SIZE_IGNORED,
    )
    hints = (
        "Three things are held here in a way that the module does not see: a tensor, some layers, "
        "and a tensor in a dict. What does `list(module.state_dict())` show for the original, and "
        "what should it show?",
        "Layers in a list become visible in an `nn.ModuleList`, which is used like a list. Tensors "
        "that are not trained become visible with `self.register_buffer(name, tensor)`; later "
        "they are read as `self.name`.",
        "`register_buffer(…, persistent=False)` registers a tensor that moves but is not saved. "
        "Without it, the tensor is saved under its name.",
        "A similar case: a module with constants, half of them saved.\n"
        "```python\n"
        "from torch import nn\n\n"
        "class Standardise(nn.Module):\n"
        "    def __init__(self, mean, steps):\n"
        "        super().__init__()\n"
        "        self.register_buffer(\"mean\", mean)\n"
        "        self.register_buffer(\"ramp\", torch.arange(steps), persistent=False)\n"
        "        self.stages = nn.ModuleList(nn.Identity() for _ in range(steps))\n\n"
        "list(Standardise(torch.ones(2), 3).state_dict())   # ['mean']\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        number = int(other[-1])
        drawn = [
            ("a new module on the CPU", "", 2, 2, [], "cpu", "float32", False),
            ("moved to a GPU", "", 3, 2, [["to", gpu]], gpu, "float32", False),
            ("cast to float64", "", 2, 1, [["to", "float64"]], "cpu", "float64", False),
            ("there and back", "there and back again", 2, 2,
             [["to", gpu], ["cpu"]], "cpu", "float32", False),
            ("`cuda` with a number", "another way to say where", 3, 1,
             [["cuda", number]], other, "float32", False),
            ("`double` on a GPU", "a move and a cast", 2, 2,
             [["to", other], ["double"]], other, "float64", False),
            ("a copy that is moved", "a deep copy that is moved", 2, 3,
             [["to", gpu]], gpu, "float32", True),
            ("from one GPU to another", "two GPUs", 3, 3,
             [["to", gpu], ["to", other]], other, "float32", False),
            ("no layers", "a module without layers", 2, 0, [["to", gpu]], gpu, "float32", False),
        ]
        return [
            Case(
                title,
                separates or title,
                {
                    "size": size,
                    "depth": depth,
                    "moves": moves,
                    "device": device,
                    "dtype": dtype,
                    "copied": copied,
                    "x": whole_numbers(rng, 2, size),
                    "checkpoint": {
                        **{
                            f"layers.{i}.weight": whole_numbers(rng, size, size)
                            for i in range(depth)
                        },
                        "scale": [float(rng.randint(2, 5)) for _ in range(size)],
                    },
                },
                bool(separates),
            )
            for title, separates, size, depth, moves, device, dtype, copied in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if not facts["module"]:
            return NO_MODULE.found(brief(facts["returned"]), "an `nn.Module`")
        finding = _judge_contents(data, facts)
        if finding is not None:
            return finding
        if facts["born"] != ["cpu"]:
            return BORN_ELSEWHERE.found(f"a new module on {facts['born']}", "one on the CPU")
        scale = _vector([0.5] * data["size"], "cpu")
        if facts["scale"] != scale:
            return OTHER_RESULT.found(f"a new scale {brief(facts['scale'])}", brief(scale))
        if "raised" in facts:
            text = facts["raised"]
            mixed = any(words in text for words in MIXED)
            return (LEFT_BEHIND if mixed else NO_FORWARD).found(text, "a result")
        if facts["copies"]:
            return MOVED_IN_FORWARD.found(f"{facts['copies']} copies in one forward pass", "none")
        wanted = outcome(data)
        if facts["result"] != wanted:
            return OTHER_RESULT.found(brief(facts["result"]), brief(wanted))
        return None


def _judge_contents(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    """Judge names: of the parameters, and of what is saved."""
    layers = sorted(name for name in data["checkpoint"] if name != "scale")
    wanted = sorted(data["checkpoint"])
    saved, parameters = facts["checkpoint"], facts["parameters"]
    fixed = [name for name in parameters if "mask" in name or "scale" in name]
    if fixed:
        return TENSOR_TRAINED.found(f"the parameters {parameters}", f"the parameters {layers}")
    if layers and not parameters:
        return LAYERS_HIDDEN.found("no parameters", f"the parameters {layers}")
    if any("mask" in name for name in saved):
        return MASK_SAVED.found(f"the keys {saved}", f"the keys {wanted}")
    if not any("scale" in name for name in saved):
        return SCALE_UNSAVED.found(f"the keys {saved}", f"the keys {wanted}")
    if len(parameters) != len(layers) and all(name in wanted for name in layers):
        numbered = [name for name in parameters if name.startswith("layers.")]
        kind = SIZE_IGNORED if numbered == parameters and _bias_free(numbered) else OTHER_KEYS
        return kind.found(f"the parameters {parameters}", f"the parameters {layers}")
    if saved != wanted:
        return OTHER_KEYS.found(f"the keys {saved}", f"the keys {wanted}")
    return None


def _bias_free(names: Sequence[str]) -> bool:
    return all(name.endswith("weight") for name in names)


def outcome(data: Mapping[str, Any]) -> dict[str, Any]:
    """The result of the forward pass, as it should be described."""
    size, checkpoint = data["size"], data["checkpoint"]
    rows = data["x"]
    for number in range(data["depth"]):
        weight = checkpoint[f"layers.{number}.weight"]
        rows = [[max(0.0, _dot(row, column)) for column in weight] for row in rows]
    masked = [[sum(row[i:]) for i in range(size)] for row in rows]
    scaled = [[value * s for value, s in zip(row, checkpoint["scale"], strict=True)]
              for row in masked]
    return {
        "type": "Tensor",
        "dtype": data["dtype"],
        "shape": [len(rows), size],
        "device": data["device"],
        "values": scaled,
    }


def _vector(values: Sequence[float], device: str) -> dict[str, Any]:
    """A described vector."""
    facts = {"type": "Tensor", "dtype": "float32", "shape": [len(values)], "device": device}
    return facts | {"values": list(values)}


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))
