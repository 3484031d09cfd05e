def early_reads(program):
    """Each stream, and the host, counts how much of every stream is done."""
    queued, seen, where, early = {}, {"host": {}}, {}, []

    def learn(who, news):
        for stream, count in news.items():
            seen[who][stream] = max(seen[who].get(stream, 0), count)

    for position, step in enumerate(program):
        kind, stream = step[0], step[1]
        seen.setdefault(("s", stream), {})
        me = ("s", stream)
        learn(me, seen["host"])
        if kind in ("read", "write"):
            queued[stream] = queued.get(stream, 0) + 1
            seen[me][stream] = queued[stream]
            if kind == "write":
                where[step[2]] = stream, queued[stream]
            elif step[2] in where:
                writer, count = where[step[2]]
                if seen[me].get(writer, 0) < count:
                    early.append(position)
        elif kind == "wait":
            learn(me, dict(seen.get(("s", step[2]), {})))
        else:
            learn("host", dict(seen[me]))
    return tuple(early)
