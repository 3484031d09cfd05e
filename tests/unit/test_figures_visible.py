"""`visible_map`, `moment_map` and `family_map`: what is drawn is what the processes told."""

import pytest

from course_utils.experiments.children import Member, Sight, WatchedLine
from course_utils.figures.picture import Picture
from lesson_parts.visibility import family_map, moment_map, visible_map

EQUAL = ("Virtual CUDA device (runs on the CPU)",) * 4
MIXED = ("Virtual GeForce RTX 4060 Laptop GPU", "NVIDIA A100-SXM4-40GB", "Virtual Tesla T4")
STEPS = (
    WatchedLine("import torch", None, False, (0, 1, 2, 3)),
    WatchedLine('os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"', "0,1", False, (0, 1)),
    WatchedLine("torch.cuda.is_available()", "0,1", True, (0, 1)),
    WatchedLine('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "-1", True, (0, 1)),
    WatchedLine('torch.ones(1, device="cuda")', "0,1", True, (0, 1)),
)
FAMILY = (
    Member("shell", None, None),
    Member("train.py", "2,3", "2,3"),
    Member("child", "2,3", "3"),
)


def drawn(picture: Picture) -> list[str]:
    return [text.get_text() for text in picture.figure.axes[0].texts]


def arrows(picture: Picture) -> int:
    return sum(
        getattr(text, "arrow_patch", None) is not None for text in picture.figure.axes[0].texts
    )


def struck_out(picture: Picture) -> int:
    return len(picture.figure.axes[0].lines)


def test_the_words_tell_every_device_and_what_is_hidden():
    alt = visible_map(
        Sight("nothing set", EQUAL, (0, 1, 2, 3)),
        Sight('CUDA_VISIBLE_DEVICES="0,3"', EQUAL, (0, 3)),
        title="T",
    ).alt
    assert alt == (
        "Map of visible cards, 'T'. nothing set, 4 cards: cuda:0 is card 0, cuda:1 is card 1, "
        'cuda:2 is card 2 and cuda:3 is card 3. CUDA_VISIBLE_DEVICES="0,3", 4 cards: cuda:0 is '
        "card 0 and cuda:1 is card 3; hidden: 1 and 2."
    )


def test_each_device_has_a_box_and_an_arrow():
    picture = visible_map(Sight("a setting", EQUAL, (3, 1)))
    assert {"0: hidden", "1", "2: hidden", "3", "cuda:0", "cuda:1"} <= set(drawn(picture))
    assert "cuda:2" not in drawn(picture)
    assert arrows(picture) == 2


def test_names_are_shown_where_the_cards_differ():
    told = visible_map(Sight("a setting", MIXED, (2, 0)))
    assert {"RTX 4060 Laptop", "A100-SXM4-40GB", "T4"} <= set(drawn(told))
    assert drawn(told).count("T4") == 2 and drawn(told).count("A100-SXM4-40GB") == 1
    assert "cuda:0 is card 2 (T4) and cuda:1 is card 0 (RTX 4060 Laptop); hidden: 1." in told.alt
    assert not any("Virtual" in text for text in drawn(visible_map(Sight("s", EQUAL, (1,)))))


def test_three_settings_leave_room_on_a_screen():
    picture = visible_map(*(Sight(f'CUDA_VISIBLE_DEVICES="{n}"', EQUAL, (n,)) for n in range(3)))
    assert picture.figure.get_figheight() < 4


def test_each_variable_of_a_setting_has_a_line():
    settings = 'CUDA_VISIBLE_DEVICES="2"', 'CUDA_DEVICE_ORDER="PCI_BUS_ID"'
    picture = visible_map(Sight(" ".join(settings), MIXED, (2,)))
    assert set(settings) <= set(drawn(picture)) and " ".join(settings) in picture.alt


def test_a_process_without_devices_can_be_shown():
    picture = visible_map(Sight('CUDA_VISIBLE_DEVICES=""', EQUAL, ()))
    assert "no device" in drawn(picture) and arrows(picture) == 0
    assert "4 cards: there is no device; hidden: 0, 1, 2 and 3." in picture.alt


def test_hidden_cards_are_framed_otherwise():
    def frames(sight: Sight) -> set[str]:
        return {
            str(patch.get_linestyle())
            for patch in visible_map(sight).figure.axes[0].patches
            if hasattr(patch, "get_boxstyle")
        }

    assert len(frames(Sight("s", EQUAL, (0, 1, 2, 3)))) == 1
    assert len(frames(Sight("s", EQUAL, (0,)))) == 2


def test_the_moment_is_marked_and_later_values_are_struck_out():
    picture = moment_map(STEPS, title="T")
    assert drawn(picture).count("CUDA reads the variable here:") == 1
    assert struck_out(picture) == 1  # the last line agrees with what was read
    assert picture.alt == (
        "Line by line, 'T'. import torch: environment not set; cards 0, 1, 2, 3. "
        'os.environ["CUDA_VISIBLE_DEVICES"] = "0,1": environment "0,1"; cards 0, 1. '
        'torch.cuda.is_available(): environment "0,1", read for good; cards 0, 1. '
        'os.environ["CUDA_VISIBLE_DEVICES"] = "-1": environment "-1", which is no longer read; '
        'cards 0, 1. torch.ones(1, device="cuda"): environment "0,1"; cards 0, 1.'
    )


def test_a_program_that_never_uses_cuda_has_no_moment():
    picture = moment_map(STEPS[:2])
    assert not any("reads" in text for text in drawn(picture)) and struck_out(picture) == 0
    assert moment_map([WatchedLine("pass", "-1", False, ())]).alt.endswith('"-1"; cards none.')


def test_a_family_is_shown_with_what_each_process_started_and_ended_with():
    picture = family_map(FAMILY, title="T")
    assert drawn(picture).count("not set") == 2 and drawn(picture).count('"2,3"') == 3
    assert drawn(picture).count("a copy,") == drawn(picture).count("a copy") == arrows(picture) / 2
    assert picture.alt == (
        "Processes from left to right, each started by the one before, 'T'. shell: at the start "
        'not set, in the end the same. train.py: at the start "2,3", in the end the same. child: '
        'at the start "2,3", in the end "3".'
    )


@pytest.mark.parametrize(
    "draw",
    [
        lambda: visible_map(Sight("nothing set", EQUAL * 2, tuple(range(8))), title="t" * 40),
        lambda: visible_map(
            Sight("s " * 60, MIXED, (2, 0, 1)), Sight("s", ("n" * 60, "m" * 60), (1,))
        ),
        lambda: moment_map(STEPS, title="t" * 40),
        lambda: moment_map([WatchedLine("x" * 90, "0,1,2,3,4,5,6,7"[:9], True, (0, 1, 2, 3, 4))]),
        lambda: visible_map(Sight('CUDA_VISIBLE_DEVICES="7"', EQUAL * 2, (7,))),
        lambda: family_map(FAMILY),
    ],
    ids=["eight", "names", "program", "long line", "seven hidden", "family"],
)
def test_text_stays_inside_the_page_and_apart(draw):
    picture = draw()
    picture.figure.canvas.draw()
    page = picture.figure.bbox
    texts = [text for text in picture.figure.axes[0].texts if text.get_text()]
    areas = [text.get_window_extent() for text in texts]
    assert all(page.x0 <= area.x0 and area.x1 <= page.x1 for area in areas)
    assert all(page.y0 <= area.y0 and area.y1 <= page.y1 for area in areas)
    inner = [area.padded(-4) for area in areas]
    for number, area in enumerate(inner):
        assert not any(area.overlaps(other) for other in inner[number + 1 :])


def test_drawing_is_the_same_every_time():
    assert moment_map(STEPS).svg() == moment_map(STEPS).svg()
    sight = Sight("s", MIXED, (1, 0))
    assert visible_map(sight).svg() == visible_map(sight).svg()
    assert family_map(FAMILY).svg() == family_map(FAMILY).svg()
