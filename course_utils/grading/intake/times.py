"""When each student handed in, from a table: the one source of lateness for files of a platform.

What a zip says of its files is when they were put into it, on Canvas the hour of the download.
"""

import csv
import io
from datetime import UTC, datetime
from pathlib import Path

from course_utils.authoring.files import explained
from course_utils.errors import CourseError
from course_utils.recovery.reading import shown


def read_times(path: Path) -> dict[str, datetime]:
    """By student, in UTC, from a CSV file with the columns `id` and `time`.

    A time is written as in ISO 8601, "2026-11-20 17:59:03+01:00"; one without a zone is in ours.
    Raises CourseError for a file that is none.
    """
    name = shown(path)
    with explained(path):
        data = path.read_bytes()
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        rows = list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{name} is no CSV file in UTF-8 ({error}): save it anew.") from error
    if not {"id", "time"} <= set(reader.fieldnames or ()):
        raise CourseError(f"{name} has no columns id and time: its first line must be id,time.")
    times: dict[str, datetime] = {}
    for line, row in enumerate(rows, 2):
        student, written = (row["id"] or "").strip(), (row["time"] or "").strip()
        if not written:
            continue
        try:
            time = datetime.fromisoformat(written).astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise CourseError(
                f"{name}, line {line}: {written!r} is no time; write it as in 2026-11-20 17:59:03."
            ) from error
        times[student] = max(time, times.get(student, time))
    return times
