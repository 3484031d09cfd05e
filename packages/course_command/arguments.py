"""Arguments that several sub-commands of `course` have, and the panels of its help."""

from typing import Annotated

import typer

LEARNERS = "For learners"
INSTRUCTORS = "For instructors"
AUTHORS = "For authors"

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME",
        show_default=False,
        help="A lesson, an assignment or an exercise: 02, 02_tensors, tensors.move_batch. "
        "Default: all.",
    ),
]
AssignmentName = Annotated[str, typer.Argument(metavar="NAME", help="Such as 02_tensors, or 02.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
