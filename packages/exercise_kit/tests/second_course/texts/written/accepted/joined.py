from pathlib import Path


def written(path, lines):
    Path(path).write_text("".join(f"{line}\n" for line in lines))
    return len(lines)
