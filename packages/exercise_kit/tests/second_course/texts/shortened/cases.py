"""Cases of `shortened`: words that are longer than allowed, shorter, and just as long."""

from exercise_kit import Raises

contract = 1
raises = (Raises("counted-as-one", "TypeError", "can only concatenate str"),)


def cases(rng):
    def word(length):
        return "".join(rng.choice("abcdefgh") for _ in range(length))

    most = rng.randint(3, 6)
    return [
        ("a long word and a short one", {"words": [word(most + 2), word(1)], "most": most}),
        ("the task's example", {"words": ["Monday", "May"], "most": 3}),
        ("a word of just as many letters", {"words": [word(most), word(most + 1)], "most": most}),
        ("only short words", {"words": [word(1), word(most - 1)], "most": most}),
        ("no words", {"words": [], "most": most}),
    ]
