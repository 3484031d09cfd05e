"""Who grades: stations on this computer, one for each core. A cluster's crew has the same form."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from course_utils.grading.job import Job
from course_utils.grading.results import Graded
from course_utils.grading.sandbox import Level
from course_utils.grading.station import Settings, Station


class Crew(Protocol):
    """Grades jobs, several at a time. size: how many. level: of their sandboxes, the lowest."""

    @property
    def size(self) -> int: ...

    @property
    def level(self) -> Level: ...

    def submit(self, job: Job) -> "Future[Graded]": ...

    def close(self) -> None: ...


class LocalCrew:
    """A thread for each station; it only waits for its processes."""

    def __init__(
        self, settings: Settings, size: int, station: Callable[[Settings], Station] = Station
    ) -> None:
        self.size, self.level = size, settings.level
        self._mine = threading.local()
        self._stations: list[Station] = []
        self._pool = ThreadPoolExecutor(size, "station")
        self._make = lambda: station(settings)

    def submit(self, job: Job) -> "Future[Graded]":
        return self._pool.submit(self._grade, job)

    def _grade(self, job: Job) -> Graded:
        if not hasattr(self._mine, "station"):
            self._mine.station = self._make()
            self._stations.append(self._mine.station)
        return self._mine.station.grade(job)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        for station in self._stations:
            station.close()
