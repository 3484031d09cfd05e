"""`exchange_lanes`: when the gradients of a backward pass are computed, and when exchanged."""

from collections.abc import Mapping, Sequence

from course_utils.experiments.recording import Span
from course_utils.figures.picture import BLUE, INK, NOTE, ORANGE, PANEL, WIDTH, Picture
from course_utils.words import counted

LEFT, RIGHT, TOP = 1.35, WIDTH - 0.3, 0.8
LANE, PITCH = 0.4, 1.45


def exchange_lanes(logs: Mapping[int, Sequence[str]]) -> Picture:
    """A picture of backward passes below each other, from logs of "gradient …" and "bucket …".

    logs: for each `bucket_cap_mb`, the gradients and buckets in the order in which they began. A
        bucket has the gradients that the log lists since the bucket before it. It runs beside the
        later gradients, and is drawn as long as its own.
    """
    title = "When are gradients exchanged?"
    page = Picture(TOP + PITCH * len(logs) + 0.2, title, "order only")
    page.tell(f"Order of events, without times, {title!r}.")
    passes = {f"bucket_cap_mb={cap}": _spans(log) for cap, log in logs.items()}
    scale = (RIGHT - LEFT) / max(end for spans in passes.values() for *_, end in spans["exchange"])
    for number, (name, lanes) in enumerate(passes.items()):
        top = TOP + PITCH * number
        page.write(LEFT, top + 0.02, name, weight="bold")
        computed, done = (lanes[lane][-1][-1] for lane in ("backward", "exchange"))
        for row, (lane, spans) in enumerate(lanes.items()):
            upper = top + 0.2 + 0.5 * row
            page.write(LEFT - 0.12, upper + LANE / 2, lane, align="right")
            page.line((LEFT, upper + LANE), (RIGHT, upper + LANE))
            for what, begin, end in spans:
                place = LEFT + begin * scale, upper, (end - begin) * scale, LANE
                page.box(*place, what, fill=ORANGE if row else BLUE, edge=INK, round_=0)
            page.tell(f"{name}, {lane}: {', '.join(what for what, *_ in spans)}.")
        if done > computed:
            place = LEFT + computed * scale, top + 0.2, (done - computed) * scale, LANE
            page.box(*place, "the GPU waits", fill=PANEL, edge=INK, line="--", round_=0)
            gradients = counted(int(done - computed), "gradient")
            page.tell(f"At the end, the GPU waits, as long as for {gradients}.")
    note = "An exchange is drawn as long as its gradients together."
    page.write(LEFT, TOP + PITCH * len(logs) - 0.05, note, **NOTE)
    return page


def _spans(log: Sequence[str]) -> dict[str, list[Span]]:
    """The work of each lane. A gradient takes 1, and a bucket as much as its gradients."""
    gradients: list[Span] = []
    buckets: list[Span] = []
    sent = 0
    for what in log:
        ready = len(gradients)
        if what.startswith("gradient"):
            gradients.append((what, ready, ready + 1))
        else:
            begin = max([ready, *(end for *_, end in buckets)])
            buckets.append((what, begin, begin + ready - sent))
            sent = ready
    return {"backward": gradients, "exchange": buckets}
