"""The command `course`. Each sub-command only reads its arguments and calls the package."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root
from course_utils.voice import Voice

STOPPED = 130
"""The exit status after Ctrl-C."""

UNIX_ONLY = ("fcntl", "resource")
"""Modules of Python's own that Windows lacks."""

LEARNERS, INSTRUCTORS, AUTHORS = "For learners", "For instructors", "For authors"

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="On the Right Device: PyTorch GPU lessons, with or without a GPU.",
)

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME",
        show_default=False,
        help="A lesson, an assignment, an exercise: 02, 02_tensors, tensors.move_batch; "
        "default: all.",
    ),
]
AssignmentName = Annotated[str, typer.Argument(metavar="NAME", help="As in 02_tensors, or 02.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
NbgraderCourse = Annotated[
    Path | None,
    typer.Option(help="The nbgrader course; default: this folder if it is one, else assignments/."),
]

voice = Voice()


def run() -> None:
    """Entry point: a mistake that we can name is one sentence on stderr, and exit status 2."""
    try:
        try:
            app()
        finally:
            voice.pause()
            sys.stdout.flush()  # a closed pipe is met here, and not when Python ends
    except SystemExit as end:
        if end.code == STOPPED:
            typer.echo("Stopped.", err=True)
        raise
    except CourseError as error:
        _fail(error)
    except ModuleNotFoundError as error:
        if error.name not in UNIX_ONLY:
            raise
        _fail(
            "This command needs Linux or macOS. On Windows, use the course in WSL: "
            "site/guides/other_ways.md says how."
        )
    except BrokenPipeError:  # as in `course map | head`: whoever read has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        if error.filename is None:
            raise
        from course_utils.authoring.files import explanation

        _fail(explanation(Path(os.fsdecode(error.filename)), error))


def _fail(problem: object) -> NoReturn:
    typer.echo(problem, err=True)
    sys.exit(2)


@app.command(
    rich_help_panel=LEARNERS,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def lab(context: typer.Context) -> None:
    """Prepare your workspace and open JupyterLab on it; other options go to JupyterLab.

    Example: course lab --no-browser --port=8899
    """
    from course_utils.workspace.jupyter import open_lab

    open_lab(repository_root(), context.args, voice.say)


@app.command(rich_help_panel=LEARNERS)
def doctor(
    notebook: Annotated[
        str,
        typer.Argument(
            metavar="NOTEBOOK",
            show_default=False,
            help="Look at your copy of this assignment, or at this file, and not at the machine.",
        ),
    ] = "",
    mend: Annotated[bool, typer.Option(help="Put right what can be; a backup is kept.")] = False,
) -> None:
    """Tell what this machine has, what each lack means, and what to do; or mend a notebook.

    Example: course doctor 02_tensors --mend

    Exit status: 0 if all is well, 1 if something is not, 2 for a mistake that is named.
    """
    if notebook:
        _doctor_notebook(notebook, mend)
        return
    from course_utils.doctor import report

    if not report(voice.say, voice.doing):
        raise typer.Exit(1)


def _doctor_notebook(name: str, mend: bool) -> None:
    voice.doing("Looking at the notebook")
    from course_utils.workspace import mend as mending

    workspace = _workspace()
    diagnosis = mending.diagnose(repository_root(), workspace, name)
    _say_all(diagnosis.lines())
    if diagnosis.mended is not None and mend:
        _say_all(mending.mend(workspace, diagnosis))
    elif diagnosis.mended is not None:
        voice.say(f"`course doctor {name} --mend` puts it right, and keeps a backup.")
    if diagnosis.left or (diagnosis.found and not mend):
        raise typer.Exit(1)


@app.command(rich_help_panel=LEARNERS)
def update(
    names: Names = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show the differences; change nothing.")
    ] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Put back what the last one changed.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Bring new versions of the course into your copies; what you wrote stays.

    Example: course update 02_tensors
    """
    voice.doing("Looking for new versions")
    from course_utils.workspace import update as updating
    from course_utils.workspace.deliver import prepare

    root, workspace = repository_root(), _workspace()
    if undo:
        backup = updating.last_update(workspace)
        if since := updating.written_since(workspace, backup):
            voice.say(f"You have changed {', '.join(since)} since; that is kept as a backup.")
        _agree("Put back what was there before the last update?", yes)
        _say_all(updating.undo(workspace, backup))
        return
    report = prepare(root, workspace)
    _say_all(report.lines())
    if report.replaced:
        voice.say(updating.RELOAD)
    changes = updating.plan(root, workspace, names or ())
    for change in changes:
        voice.say(f"{change.path}: {change.words}")
        _say_all(f"  {note}" for note in change.notes)
        if diff:
            _say_all(change.diff())
    if not changes:
        voice.say("Everything is up to date.")
    elif not diff:
        _agree("Save what is open in JupyterLab first. Bring this in?", yes)
        _say_all(updating.update(workspace, changes))


@app.command(rich_help_panel=LEARNERS)
def reset(
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="As in tensors.move_batch.")],
    yes: Yes = False,
) -> None:
    """Put the cell of an exercise back to its starting text; your answer is kept.

    Example: course reset tensors.move_batch
    """
    from course_utils.workspace import reset as resetting

    workspace = _workspace()
    plan = resetting.plan_reset(repository_root(), workspace, exercise)
    if not plan.answer:
        voice.say(f"{plan.exercise.name} has its starting text already.")
        return
    _agree(f"Save the notebook first. Put {plan.exercise.name} back to its starting text?", yes)
    _say_all(resetting.reset(workspace, plan))


@app.command(rich_help_panel=LEARNERS)
def submit(
    assignment: AssignmentName,
    course: Annotated[str, typer.Option(help="nbgrader's name for the course.")] = "",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Also if an answer cannot be found.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Say what will be graded, and hand it in: through nbgrader, or as a file to upload.

    Example: course submit 02_tensors
    """
    voice.doing("Looking at the notebook")
    from course_utils.workspace.submit import hand_in, prepare_submission

    workspace = _workspace()
    submission = prepare_submission(repository_root(), workspace, assignment, voice.doing)
    _say_all(submission.lines())
    if not submission.lost or anyway:
        _agree("Hand this in?", yes)
    _say_all(hand_in(workspace, submission, course, anyway=anyway))


def _workspace() -> Path:
    from course_utils.workspace.place import existing_workspace

    return existing_workspace(repository_root())


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        voice.say(line)


def _agree(question: str, yes: bool) -> None:
    """Ask, unless the answer is given already, and end the command if it is no."""
    voice.pause()
    if not yes and not typer.confirm(question):
        voice.say("Nothing was changed.")
        raise typer.Exit(1)


@app.command(rich_help_panel=LEARNERS)
def progress(
    names: Names = None,
    workspace: Annotated[Path | None, typer.Option(help="Default: workspace/ here.")] = None,
) -> None:
    """Show the progress recorded in a workspace.

    Example: course progress 02
    """
    from course_utils.checking.path import path_of
    from course_utils.checking.record import Record
    from course_utils.checking.summary import details, lines
    from course_utils.workspace.place import existing_workspace

    parts = [load_manifest().find(name) for name in names or ()]
    path = path_of(Record(existing_workspace(repository_root(), workspace)))
    _say_all(f"{lead} {text}" for lead, text in (details(path, parts) if parts else lines(path)))


@app.command(rich_help_panel=LEARNERS)
def shapes(
    folder: Annotated[Path, typer.Argument(help="Where they are put.")] = Path("shapes"),
    train: Annotated[int, typer.Option(help="Pictures of each shape to train on.")] = 200,
    test: Annotated[int, typer.Option(help="Pictures of each shape to test with.")] = 50,
    seed: Annotated[int, typer.Option(help="Another number gives other pictures.")] = 0,
) -> None:
    """Draw the pictures of the project: six shapes, as small JPEG files.

    Example: course shapes shapes --train 20 --test 5
    """
    from course_utils.experiments.shapes import Plan, draw_shapes

    drawn = draw_shapes(folder, Plan(train, test, seed))
    typer.echo(f"{drawn} pictures drawn." if drawn else "All pictures are there already.")


@app.command(rich_help_panel=INSTRUCTORS)
def intake(
    assignment: AssignmentName,
    source: Annotated[Path, typer.Argument(help="A folder or zip of Canvas, Moodle or your own.")],
    course: NbgraderCourse = None,
    roster: Annotated[
        Path | None,
        typer.Option(
            help="A CSV file of students, as nbgrader imports it: id,first_name,last_name,…"
        ),
    ] = None,
    times: Annotated[
        Path | None,
        typer.Option(help="A CSV file that says when students handed in: id,time. No zip does."),
    ] = None,
) -> None:
    """Bring files that students handed in elsewhere to where nbgrader looks for them.

    Example: course intake 02_tensors submissions.zip

    Exit status: 0 if all is taken in, 1 if something is refused, 2 for a mistake that is named.
    """
    course = course or _course_here()
    name = _assignment(course, assignment)
    voice.doing("Starting")
    from course_utils.grading.intake import take_in

    if take_in(course, name, source, roster, voice.say, times).refused:
        raise typer.Exit(1)


@app.command(rich_help_panel=INSTRUCTORS)
def grade(
    assignment: AssignmentName = "",
    course: NbgraderCourse = None,
    student: Annotated[str, typer.Option(help="Only this one.")] = "*",
    only_held: Annotated[bool, typer.Option(help="Only those with something held.")] = False,
    again: Annotated[bool, typer.Option(help="The unchanged ones as well.")] = False,
    dry_run: Annotated[bool, typer.Option(help="Only say what would be done.")] = False,
    outputs: Annotated[
        bool,
        typer.Option(
            help="Show what the cells put out when they run here, not what was handed in."
        ),
    ] = False,
    workers: Annotated[int, typer.Option(min=0, help="At a time; default: one for each core.")] = 0,
    scheduler: Annotated[
        str,
        typer.Option(
            help="Grade on the Dask cluster of this scheduler, as in tcp://10.0.0.1:8786."
        ),
    ] = "",
    db_url: Annotated[str, typer.Option(help="A gradebook other than the course's own.")] = "",
    minimum: Annotated[
        str,
        typer.Option(
            help="The sandbox below which nothing is graded: "
            "full, no_cgroups, kernel_rules or none."
        ),
    ] = "no_cgroups",
    probe: Annotated[bool, typer.Option(help="Only tell what sandbox there is here.")] = False,
    demo: Annotated[bool, typer.Option(help="Grade a class made of the known answers.")] = False,
    folder: Annotated[Path | None, typer.Option(help="Where the demo class is put.")] = None,
) -> None:
    """Grade what was handed in: in parallel, in a sandbox, going on where a run was stopped.

    Example: course grade 02_tensors --student ada

    Exit status: 0 if all is graded, 3 if something is held for you, 2 for a mistake that is named.
    """
    if not (assignment or probe or demo):
        raise CourseError("Name an assignment, as in `course grade 02_tensors`.")
    root = repository_root()
    course = root / "assignments" if demo else course or _course_here()
    name = _assignment(course, assignment or "02_tensors")
    voice.doing("Starting")
    from course_utils.grading.run.command import Options, grade_class
    from course_utils.grading.sandboxed import describe_sandbox, level_called

    if probe:
        voice.say(describe_sandbox())
        return
    if demo:
        from course_utils.grading.demo import grade_demo

        grade_demo(root, name, folder, voice.say, voice.doing)
        return
    options = Options(
        name,
        course,
        student=student,
        only_held=only_held,
        again=again,
        dry_run=dry_run,
        outputs=outputs,
        workers=workers,
        scheduler=scheduler,
        db_url=db_url,
        minimum=level_called(minimum),
    )
    if grade_class(options, voice.say).held:
        raise typer.Exit(3)


@app.command(rich_help_panel=AUTHORS)
def build(
    names: Names = None,
    check: Annotated[bool, typer.Option(help="Only report drift; exit 1 if any.")] = False,
    discard: Annotated[bool, typer.Option(help="Drop edits made in the notebooks.")] = False,
) -> None:
    """Make the notebooks from their texts, and bring the numbers that pages quote up to date.

    Example: course build --check 02
    """
    from course_utils.authoring import text

    changes = text.build(repository_root(), names, check=check, discard=discard, doing=voice.doing)
    for change in changes:
        voice.say(change)
    if check and changes:
        raise typer.Exit(1)


@app.command(rich_help_panel=AUTHORS)
def absorb(
    names: Names = None,
    discard: Annotated[bool, typer.Option(help="Drop edits made in the texts.")] = False,
) -> None:
    """Take edits made in notebooks back into their texts.

    Example: course absorb 02_tensors
    """
    from course_utils.authoring import text

    for change in text.absorb(repository_root(), names, discard=discard, doing=voice.doing):
        voice.say(change)


@app.command(name="map", rich_help_panel=AUTHORS)
def print_map(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            show_default=False,
            help="A code (C050, E02), a lesson, an assignment or an exercise; "
            "default: an overview.",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every code.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Codes and cells, for programs.")] = False,
) -> None:
    """Print what each lesson holds, and where a concept is taught or an error put right.

    Example: course map C050
    """
    from course_utils.authoring.map_table import map_as_json, map_as_table, overview

    if not (names or every or as_json):
        voice.say(overview(repository_root()))
        return
    voice.doing("Reading the lessons")
    shown = map_as_json if as_json else map_as_table
    voice.say(shown(repository_root(), [] if every else names or []))


new = typer.Typer(no_args_is_help=True, help="Make something new.")
app.add_typer(new, name="new", rich_help_panel=AUTHORS)


@new.command()
def exercise(
    name: Annotated[str, typer.Argument(help="TOPIC.NAME, as in tensors.move_batch.")],
) -> None:
    """Make the folder of an exercise: it runs, and says TODO wherever an author has to write.

    Example: course new exercise tensors.triple
    """
    from course_utils.authoring.scaffold import new_exercise

    for path in new_exercise(repository_root(), name):
        typer.echo(path)
    typer.echo(f"Write what says TODO, then run `course build` and `course verify {name}`.")


@app.command(rich_help_panel=AUTHORS)
def remove(
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="As in tensors.move_batch.")],
    force: Annotated[
        bool, typer.Option("--force", help="Also if git could not give all of it back.")
    ] = False,
) -> None:
    """Take an exercise out again: its folder, and its entry in course.toml.

    Example: course remove tensors.triple
    """
    from course_utils.authoring.removal import mentions, remove_exercise

    root = repository_root()
    folder = remove_exercise(root, exercise, force=force)
    typer.echo(f"Deleted: {folder}, and its entry in course.toml.")
    if found := mentions(root, exercise):
        typer.echo("\n".join(["These lines seem to name it still:", *found]))
    typer.echo(f"{'Mend those that do, then run' if found else 'Run'} `course build`.")


@app.command(rich_help_panel=AUTHORS)
def verify(names: Names = None) -> None:
    """Prove that the exercises check what they claim to check.

    Example: course verify tensors.move_batch
    """
    voice.doing("Starting")
    from course_utils.authoring.verify import verify_course

    problems = verify_course(repository_root(), names, voice.say, voice.doing)
    if problems:
        raise typer.Exit(1)


def _course_here() -> Path:
    here = Path.cwd()
    return here if (here / "nbgrader_config.py").is_file() else repository_root() / "assignments"


def _assignment(course: Path, name: str) -> str:
    """The name that nbgrader knows: one of its own course, or what the manifest finds."""
    if (course / "source" / name).is_dir():
        return name
    return load_manifest().find(name).only_assignment().name
