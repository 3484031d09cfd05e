"""The command of `course` that draws the pictures of the project."""

from pathlib import Path
from typing import Annotated

import typer

from course_utils.cli import LEARNERS


def add(app: typer.Typer) -> None:
    app.command(rich_help_panel=LEARNERS)(shapes)


def shapes(
    folder: Annotated[Path, typer.Argument(help="Where they are put.")] = Path("shapes"),
    train: Annotated[int, typer.Option(help="Pictures of each shape to train on.")] = 200,
    test: Annotated[int, typer.Option(help="Pictures of each shape to test with.")] = 50,
    seed: Annotated[int, typer.Option(help="Another number gives other pictures.")] = 0,
) -> None:
    """Draw the pictures of the project: six shapes, as small JPEG files.

    Example: course shapes shapes --train 20 --test 5
    """
    from lesson_parts.shapes import Plan, draw_shapes

    drawn = draw_shapes(folder, Plan(train, test, seed))
    typer.echo(f"{drawn} pictures drawn." if drawn else "All pictures are there already.")
