"""What forged facts may cost the judge: seconds and memory, and then the exercise is held."""

import json
import multiprocessing
import random
import types
from multiprocessing.connection import Connection

import pytest

from course_grading.judge.main import limit_memory
from course_grading.protocol import parse_json
from exercise_kit import limited
from exercise_kit.contract import Case, Facts, Finding, Judge
from exercise_kit.limited import key_of
from exercise_kit.observers import OneCall

CASE = Case("a case", {})


class Believes(Judge):
    """Computes as much as the facts say, in time or in memory."""

    def cases(self, rng: random.Random) -> list[Case]:
        return [CASE]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        if "memory" in facts:
            assert len(bytearray(facts["memory"]))
        for _ in range(facts.get("rounds", 0)):
            pass
        return None


def believing() -> limited.LimitedJudge:
    judge = limited.LimitedJudge(types.SimpleNamespace(judge=Believes(), observer=OneCall()))
    judge.references = {key_of(CASE): {}}
    return judge


def test_facts_that_take_for_ever_end(monkeypatch):
    assert limited._SECONDS == 5
    monkeypatch.setattr(limited, "_SECONDS", 0.2)
    judge = believing()
    assert judge.judge(CASE, {"rounds": 10}) is None
    with pytest.raises(TimeoutError, match="too long"):
        judge.judge(CASE, {"rounds": 10**18})


def _judge(pipe: Connection) -> None:
    limit_memory()
    judge = believing()
    assert judge.judge(CASE, {"memory": 1 << 20}) is None
    try:
        judge.judge(CASE, {"memory": 3 << 30})
    except MemoryError as error:
        pipe.send(str(error))
    judge.judge(CASE, {"memory": 1 << 20})  # and it goes on
    pipe.send("goes on")


def test_facts_that_take_all_memory_end():
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_judge, args=(there,))
    process.start()
    there.close()
    assert here.recv() == "the facts took too much memory to judge"
    assert here.recv() == "goes on"
    process.join()


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\U0001f600", "ü"])
def test_what_is_read_can_be_written(text):
    read = parse_json(json.dumps({text: [text]}))
    assert json.dumps(read, ensure_ascii=False).encode()
    whole = text.encode(errors="replace").decode()
    assert read == {whole: [whole]}
