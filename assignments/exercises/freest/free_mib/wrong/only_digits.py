# finding: unknown-dropped
import re


def free_mib(text):
    values = re.findall(r"^    FB Memory Usage\s*\n(?:        .*\n)*?        Free +: (\d+|N/A)", text,
                        re.M)
    return [int(value) for value in values if value.isdigit()]
