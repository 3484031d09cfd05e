"""The database that a gradebook is in: its address without a password, and one run at a time.

On a server, a run holds an advisory lock: the lock in the course's folder does not see a run that
grades into the same gradebook from another folder.
"""

from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from course_utils.errors import CourseError

_LIKE = "postgresql+psycopg://NAME@HOST/DATABASE"
_SHOWN_OF_QUERY = frozenset({"host", "port", "user", "dbname", "sslmode"})


def require_address(url: str) -> None:
    """Raises CourseError, which repeats nothing of `url`, if it cannot be used."""
    try:
        address = make_url(url)
        address.get_dialect().import_dbapi()
    except (ArgumentError, ValueError):
        raise CourseError(
            f"The gradebook's address cannot be read: write it as {_LIKE} or as "
            "sqlite:////FOLDER/gradebook.db, with an @ in a password as %40."
        ) from None
    except ModuleNotFoundError as missing:
        raise CourseError(
            f"This gradebook's database needs {missing.name}, which is not installed: install the "
            f"course with its extra `postgresql`, and write the address as {_LIKE}."
        ) from None
    if address.drivername != "sqlite" and "@" in f"{address.host}{address.database}":
        raise CourseError(
            "The password in the gradebook's address seems to hold an @: write it as %40."
        )


def shown(url: str) -> str:
    """An address without its password."""
    address = make_url(url)
    secret = [name for name in address.query if name not in _SHOWN_OF_QUERY]
    return address.difference_update_query(secret).render_as_string(hide_password=True)


def hold(engine: Engine, course: str) -> Connection | None:
    """Lock a course on a server until what is returned is closed; None for a file.

    Raises CourseError if another run holds it.
    """
    if engine.dialect.name != "postgresql":
        return None
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    free = connection.scalar(
        text("SELECT pg_try_advisory_lock(hashtext(:name))"), {"name": f"course grade {course}"}
    )
    if not free:
        connection.close()
        raise CourseError(
            "Another run is grading into this gradebook, from another folder or "
            "computer: wait until that has ended."
        )
    return connection
