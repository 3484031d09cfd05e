"""The commands of `course` for learners. Each only reads its arguments and calls the package."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from course_command.arguments import LEARNERS, AssignmentName, Names, Yes
from course_command.console import console
from course_command.main import every_command
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root


def add(app: typer.Typer) -> None:
    """Add the learners' commands to the command `course`."""
    passed_on = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(rich_help_panel=LEARNERS, context_settings=passed_on)(lab)
    app.command(rich_help_panel=LEARNERS, context_settings=passed_on)(project)
    for command in (doctor, reset, submit, progress):
        app.command(rich_help_panel=LEARNERS)(command)


def lab(context: typer.Context) -> None:
    """Prepare your workspace and open it in JupyterLab. Other options are passed to JupyterLab.

    Example: course lab --no-browser --port=8899
    """
    from course_workspace.jupyter import open_lab

    open_lab(repository_root(), context.args, console.say)


def doctor(
    notebook: Annotated[
        str,
        typer.Argument(
            metavar="NOTEBOOK",
            show_default=False,
            help="Check your copy of this assignment, or this file, instead of the computer.",
        ),
    ] = "",
    fix: Annotated[
        bool, typer.Option(help="Repair the notebook, and keep the old file next to it.")
    ] = False,
) -> None:
    """Check what this computer has for the course; or check and repair a notebook.

    Example: course doctor 02_tensors --fix

    Exit status: 0 if there is no problem, 1 if there is one, 2 for an error.
    """
    if notebook:
        _doctor_notebook(notebook, fix)
        return
    from course_workspace.doctor import report

    if not report(console.say, console.doing):
        raise typer.Exit(1)


def _doctor_notebook(name: str, fix: bool) -> None:
    console.doing("Checking the notebook")
    from course_workspace import repair as repairing

    workspace = _workspace()
    diagnosis = repairing.diagnose(repository_root(), workspace, name)
    _say_all(diagnosis.lines())
    if diagnosis.repaired is not None and fix:
        _say_all(repairing.repair(workspace, diagnosis))
    elif diagnosis.repaired is not None:
        console.say(f"Run `course doctor {name} --fix` to repair it. The old file is kept.")
    if diagnosis.left or (diagnosis.found and not fix):
        raise typer.Exit(1)


def reset(
    exercise: Annotated[
        str, typer.Argument(metavar="EXERCISE", help="Such as tensors.move_batch.")
    ],
    yes: Yes = False,
) -> None:
    """Put the starting text back into the cell of an exercise; your answer is kept.

    Example: course reset tensors.move_batch
    """
    from course_workspace import reset as resetting

    workspace = _workspace()
    plan = resetting.plan_reset(repository_root(), workspace, exercise)
    if not plan.answer:
        console.say(f"{plan.exercise.name} has its starting text already.")
        return
    _agree(f"Save the notebook first. Put {plan.exercise.name} back to its starting text?", yes)
    _say_all(resetting.reset(workspace, plan))


def submit(
    assignment: AssignmentName,
    course: Annotated[str, typer.Option(help="nbgrader's name for the course.")] = "",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Hand in even if an answer cannot be found.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Show what will be graded, then hand it in: through nbgrader, or as a file to upload.

    Example: course submit 02_tensors
    """
    console.doing("Checking the notebook")
    from course_workspace.submit import hand_in, prepare_submission

    workspace = _workspace()
    submission = prepare_submission(repository_root(), workspace, assignment, console.doing)
    _say_all(submission.lines())
    if not submission.lost or anyway:
        _agree("Hand this in?", yes)
    _say_all(hand_in(workspace, submission, course, anyway=anyway))


def project(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORDS]", show_default=False, help="Options of train.py, after `--run`."
        ),
    ] = None,
    run: Annotated[bool, typer.Option("--run", help="Run the program.")] = False,
    gpus: Annotated[
        int, typer.Option(help="Number of GPUs for the program: real ones, or else virtual ones.")
    ] = 0,
    why: Annotated[
        bool, typer.Option("--why", help="Five questions about the lines that you wrote.")
    ] = False,
) -> None:
    """Show who wrote each part of your program, and the next part. Or run the program.

    Example: course project --run --device cuda --epochs 3

    Exit status: the program's, if it ran.
    """
    from course_workspace.program.filling import FOLDER

    if (words or gpus) and not run:
        raise CourseError("`--gpus` and options of train.py need `--run`. Add it.")
    workspace = _workspace()
    if run:
        _run_project(workspace / FOLDER, words or [], gpus)
    elif why:
        from course_workspace.program.own_lines import ask

        ask(workspace, console)
    else:
        from rich.console import Console as RichConsole

        from course_workspace.program.overview import overview

        table, following = overview(load_manifest(), workspace)
        console.pause()
        RichConsole().print(table)
        console.say(f"\n{following}")
        console.say("`course project --run` runs it.")


def _run_project(home: Path, words: list[str], gpus: int) -> None:
    if not any(word.partition("=")[0] == "--data" for word in words):
        # The command that draws the pictures belongs to the lessons.
        every_command()(["shapes", str(home / "shapes")], standalone_mode=False)
    console.doing("Starting")
    from course_notebooks.safe_files import replace_file
    from course_workspace.program.curve import bars, picture
    from course_workspace.program.running import gpus_of, run

    done = run(home, words, gpus or gpus_of(words), console.say)
    if done.log:
        console.say("\nepoch  loss in training, accuracy in the test")
        _say_all(bars(done.log))
        file = done.folder / "losses.png"
        replace_file(file, picture(done.log, "Your train.py").png())
        console.say(f"\nAs a picture: {file}")
    if done.code:
        raise typer.Exit(done.code if done.code > 0 else 128 - done.code)


def _workspace() -> Path:
    from course_workspace.files import existing_workspace

    return existing_workspace(repository_root())


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        console.say(line)


def _agree(question: str, yes: bool) -> None:
    """Ask the question, unless `yes` answers it. If the answer is no, end the command."""
    console.pause()
    if not yes and not typer.confirm(question):
        console.say("Nothing was changed.")
        raise typer.Exit(1)


def progress(
    names: Names = None,
    workspace: Annotated[Path | None, typer.Option(help="Default: workspace/ here.")] = None,
) -> None:
    """Show the progress recorded in a workspace.

    Example: course progress 02
    """
    from course_utils.checking.progress import details, lines, progress_of
    from course_utils.checking.record import LearnerRecord
    from course_workspace.files import existing_workspace

    parts = [load_manifest().find(name) for name in names or ()]
    path = progress_of(LearnerRecord(existing_workspace(repository_root(), workspace)))
    _say_all(f"{lead} {text}" for lead, text in (details(path, parts) if parts else lines(path)))
