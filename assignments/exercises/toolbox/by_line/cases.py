"""Cases of `by_line`: snapshots of several segments, blocks and frames."""

import random
from typing import Any

from exercise_kit import Look, Raises

looks = (Look("result", exact=True),)
raises = (
    Raises("frames-missing", "IndexError"),
    Raises("line-new", "KeyError"),
    Raises("frames-missing", "StopIteration"),
)
FILE, LIBRARY = "train.py", "linear.py"


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a snapshot, the index of a GPU, and the name of a file."""
    gpu, other = rng.sample(range(4), 2)
    main, step, load = sorted(rng.sample(range(10, 60), 3))

    def frames(*lines: int, inside: bool = True) -> list[dict[str, Any]]:
        own = [{"filename": FILE, "line": line, "name": f"f{line}"} for line in lines]
        library = {"filename": LIBRARY, "line": rng.randint(100, 140), "name": "forward"}
        return [library, *own] if inside else own

    def block(*lines: int, state: str = "active_allocated", inside: bool = True) -> dict[str, Any]:
        size = 512 * rng.randint(2, 40)
        kept = state != "inactive"
        return {
            "state": state,
            "size": size,
            "requested_size": size - rng.randint(1, 500) if kept else 0,
            "frames": frames(*lines, inside=inside) if kept and lines else [],
        }

    def segment(*blocks: dict[str, Any], device: int = gpu) -> dict[str, Any]:
        total = sum(one["size"] for one in blocks)
        return {"device": device, "total_size": total, "blocks": list(blocks)}

    def case(*segments: dict[str, Any]) -> dict[str, Any]:
        return {"snapshot": {"segments": list(segments)}, "device": gpu, "file": FILE}

    free, pending = block(state="inactive"), block(step, main, state="active_pending_free")
    library_only = block()
    library_only["frames"] = frames()
    other_file = block(load)
    other_file["frames"][0]["filename"] = f"pre{FILE}"
    same_name = block(load)
    same_name["frames"][0]["filename"] = f"old/{FILE}"
    example = block(12, 30)
    example |= {"size": 2048, "requested_size": 2000}
    rest = block(state="inactive") | {"size": 2048}
    return [
        (
            "the task's example",
            {
                "snapshot": {"segments": [segment(example, rest, device=1)]},
                "device": 1,
                "file": FILE,
            },
        ),
        (
            "one line with several blocks",
            case(segment(block(step), block(step)), segment(block(step))),
        ),
        (
            "two lines of the file in the frames",
            case(segment(block(step, main), block(load, main))),
        ),
        ("a free block between blocks in use", case(segment(block(load), free, block(step)))),
        ("a block that was freed, but not yet returned", case(segment(block(load), pending))),
        ("segments of another GPU", case(segment(block(step)), segment(block(step), device=other))),
        ("frames without a library", case(segment(block(step, main, inside=False)))),
        ("a block from before the recording", case(segment(block(), block(step)))),
        ("blocks that only a library allocated", case(segment(library_only, block(), block(load)))),
        ("another file, whose name ends like this one", case(segment(other_file, block(step)))),
        ("a file of the same name in a folder", case(segment(same_name, block(step)))),
        ("nothing in use", case(segment(free))),
        ("no segment", case()),
    ]
