"""Checks that start programs give the same verdicts and findings without the fork server."""

from unittest.mock import Mock

import pytest

from course_utils.checking.exercises import exercise, exercise_names
from course_utils.experiments.fork_server import LAUNCHER
from exercise_kit.check import check
from exercise_kit.corpus import known_answers, load_answer
from exercise_kit.reference import reference

NAMES = exercise_names()


@pytest.mark.timeout(1800)  # each new process imports torch
@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("topic", sorted({name.partition(".")[0] for name in NAMES}))
def test_verdicts_are_those_of_forks(four_gpus, topic, monkeypatch):
    """Of the exercise's own answer, and of the first wrong answer that starts a program."""
    parent = Mock(wraps=LAUNCHER.parent)
    monkeypatch.setattr(LAUNCHER, "parent", parent)
    of_topic = (exercise(name) for name in NAMES if name.startswith(f"{topic}."))
    for found in (each for each in of_topic if each.observer.in_processes):
        answers = [load_answer(reference(found.path), found.short, "<reference>")]
        forked = [check(found, answers[0]).report]
        assert forked[0].passed and parent.called
        for wrong in known_answers(found.path, "wrong"):
            parent.reset_mock()
            answers[1:] = [wrong.load(found.short)]
            forked[1:] = [check(found, answers[1]).report]
            if parent.called:
                break
        parent.configure_mock(side_effect=lambda env: None)
        assert [check(found, each).report for each in answers] == forked, found.name
        parent.side_effect = None
