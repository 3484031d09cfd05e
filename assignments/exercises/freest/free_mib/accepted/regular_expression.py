import re


def free_mib(text):
    values = re.findall(r"^    FB Memory Usage\s*\n(?:        .*\n)*?        Free +: (\S+)", text, re.M)
    return [int(value) if value.isdigit() else None for value in values]
