# finding: lines-counted
def free_mib(text):
    rows = text.splitlines()
    kept = [row for n, row in enumerate(rows)
            if any("GPU" in before for before in rows[max(0, n - 4) : n + 1])]
    return [None if "N/A" in row else int(row.split()[2]) for row in kept if "Free" in row]
