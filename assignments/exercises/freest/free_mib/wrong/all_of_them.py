# finding: every-free-line
def free_mib(text):
    return [None if "N/A" in line else int(line.split()[-2])
            for line in text.splitlines() if line.split(":")[0].strip() == "Free"]
