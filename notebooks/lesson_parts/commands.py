"""The command of `course` that draws the pictures of the project."""

from pathlib import Path
from typing import Annotated

import typer

from course_command.arguments import LEARNERS


def add(app: typer.Typer) -> None:
    """Add `course shapes` to the command."""
    app.command(rich_help_panel=LEARNERS)(shapes)


def shapes(
    folder: Annotated[Path, typer.Argument(help="Where they are put.")] = Path("shapes"),
    train: Annotated[int | None, typer.Option(help="Of each shape, to train on: 200.")] = None,
    test: Annotated[int | None, typer.Option(help="Of each shape, to test with: 50.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another number gives other pictures.")] = None,
) -> None:
    """Draw the pictures of the project: six shapes, as small JPEG files.

    Where some were drawn before, it goes on with those.

    Example: course shapes shapes --train 20 --test 5
    """
    from lesson_parts.shapes import Plan, draw_shapes

    options = {"train": train, "test": test, "seed": seed}
    given = {name: number for name, number in options.items() if number is not None}
    drawn = draw_shapes(folder, Plan(**given) if given else None)
    typer.echo(f"{drawn} pictures drawn." if drawn else "All pictures are there already.")
