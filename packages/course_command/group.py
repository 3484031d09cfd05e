"""The group of commands `course`: a mistake in its arguments is a CourseError."""

from typing import Any

import typer
from typer.core import TyperGroup

import course_utils
from course_utils.errors import CourseError
from course_utils.nearest import sentence, suggestion

_UsageError: Any = typer.BadParameter.__base__  # typer has no public name for it
_HELP_WAS_ASKED = "NoArgsIsHelpError"


class CourseGroup(TyperGroup):
    """The command with its sub-commands; a mistake in the arguments raises CourseError."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The sub-command of this name. Raises CourseError, with the nearest names."""
        name = args[0]
        if name in self.commands or name.startswith("-"):
            return super().resolve_command(ctx, args)
        if name in course_utils.__all__:
            raise CourseError(
                f"`{name}` is for a cell of a notebook; `course --help` lists the commands."
            )
        near = suggestion(name, self.commands, "`course --help`")
        raise CourseError(sentence(f"There is no command {name}; {near}"))

    def invoke(self, ctx: Any) -> Any:
        """The result of the sub-command. Raises CourseError for arguments that do not fit."""
        try:
            return super().invoke(ctx)
        except _UsageError as error:
            if type(error).__name__ == _HELP_WAS_ASKED:
                raise
            raise CourseError(_message(error)) from None


def _message(error: Any) -> str:
    command = error.ctx.command_path if error.ctx else "course"
    option = getattr(error, "option_name", None)
    if option is None or not error.message.startswith("No such option"):
        what = error.format_message().rstrip(".")
        return f"`{command}`: {what[:1].lower()}{what[1:]}. `{command} --help` shows an example."
    return f"`{command}` has no option {option}. `{command} --help` lists its options."
