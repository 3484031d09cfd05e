# finding: lines-counted
def free_mib(text):
    rows = text.splitlines()
    kept = [row for n, row in enumerate(rows)
            if any(before.startswith("GPU ") for before in rows[max(0, n - 5) : n + 1])]
    return [None if "N/A" in row else int(row.split(":")[1].split()[0])
            for row in kept if "Free" in row]
