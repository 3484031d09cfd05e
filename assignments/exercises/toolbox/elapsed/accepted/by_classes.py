class Stream:
    def __init__(self):
        self.time = 0


def elapsed(program, start, end):
    streams, events, clock = {}, {}, 0
    for step in program:
        match step:
            case ("sleep", ms):
                clock = clock + ms
            case ("synchronize", event):
                if events[event] > clock:
                    clock = events[event]
            case (kind, name, what):
                stream = streams.setdefault(name, Stream())
                if stream.time < clock:
                    stream.time = clock
                if kind == "run":
                    stream.time += what
                elif kind == "record":
                    events[what] = stream.time
                elif events[what] > stream.time:
                    stream.time = events[what]
    return events[end] - events[start]
