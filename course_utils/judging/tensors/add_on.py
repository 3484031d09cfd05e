"""Judge `tensors.add_on`."""

import random
from collections.abc import Sequence

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.judging.tensors.additions import COMMON, explain_raise, judge_addition
from course_utils.judging.tensors.material import some_tensor, two_gpus

WRONG_PLACE = FindingKind(
    name="wrong-place",
    title="the result is not where it was asked for",
    explanation="A result lives where its operands met. `where` names the operand whose device "
    "that is, or the CPU.",
    next_step="Work out the device from `where` first; everything else follows from it.",
)


class AddOn(Judge):
    """The place is given."""

    name = "tensors.add_on"
    findings = (*COMMON, WRONG_PLACE)
    hints = (
        "First find the one device on which the addition takes place. Then ask of each operand: "
        "is it there?",
        "`t.to(device)` costs nothing for a tensor that is there already, so you may call it on "
        "both operands.",
        "There is one operand that need not move although it is elsewhere: a CPU tensor with "
        "`dim() == 0` joins tensors of any GPU. For an addition *on the CPU* nothing is exempt.",
        "A similar case: scale `x` by `factor`, on the device of `x`.\n"
        "```python\n"
        "def scaled(x, factor):\n"
        "    if factor.dim() > 0 or factor.is_cuda:   # a CPU number may stay where it is\n"
        "        factor = factor.to(x.device)\n"
        "    return x * factor                        # born on the device of x\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        n, m = rng.randint(2, 4), rng.randint(2, 4)
        drawn = [
            ("from one GPU to another", "", (gpu, [n]), (other, [n]), "b"),
            ("a CPU and a GPU tensor, on the GPU", "", ("cpu", [n]), (gpu, [n]), "b"),
            ("a CPU and a GPU tensor, on the CPU", "", (other, [n]), ("cpu", [n]), "cpu"),
            ("both on one GPU", "", (gpu, [n]), (gpu, [n]), "a"),
            ("from the second GPU to the first", "two GPUs and the place of `a`",
             (gpu, [m, n]), (other, [n]), "a"),
            ("two GPUs, on the CPU", "two operands that both have to move",
             (gpu, [n]), (other, [n]), "cpu"),
            ("a number on the CPU joins a GPU", "a CPU tensor without dimensions",
             ("cpu", []), (gpu, [m, n]), "b"),
            ("a number as `b`", "a CPU tensor without dimensions, as `b`",
             (other, [n]), ("cpu", []), "a"),
            ("one element in one dimension", "one element in one dimension",
             (other, [n]), ("cpu", [1]), "a"),
            ("a number on a GPU", "a tensor without dimensions on a GPU",
             (gpu, []), ("cpu", [n]), "b"),
            ("on the CPU with a number", "an addition on the CPU",
             (gpu, [n]), ("cpu", []), "b"),
            ("both on the CPU", "nothing to move", ("cpu", [n]), ("cpu", [m, n]), "cpu"),
        ]
        dtypes = [("float32", "float32")] * 11 + [("int64", "int32")]
        return [
            Case(
                title,
                separates or title,
                {
                    "a": some_tensor(rng, *a, dtypes[i][0]),
                    "b": some_tensor(rng, *b, dtypes[i][1]),
                    "where": where,
                },
                bool(separates),
            )
            for i, (title, separates, a, b, where) in enumerate(drawn)
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        where = case.data["where"]
        place = "cpu" if where == "cpu" else case.data[where]["device"]
        return judge_addition(case, facts, place, WRONG_PLACE)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        return explain_raise(case, raised)
