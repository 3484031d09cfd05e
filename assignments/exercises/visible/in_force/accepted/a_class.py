class Process:
    def __init__(self, environ):
        self.environ = dict(environ)
        self.frozen = None

    def visible(self):
        text = self.environ.get("CUDA_VISIBLE_DEVICES", "0,1,2,3")
        return list(map(int, filter(None, text.split(","))))

    def do(self, name, *values):
        if name == "set":
            self.environ["CUDA_VISIBLE_DEVICES"] = values[0]
        elif name == "setdefault":
            self.environ.setdefault("CUDA_VISIBLE_DEVICES", values[0])
        elif name in {"tensor", "is_available"} and self.frozen is None:
            self.frozen = self.visible()


def in_force(start, events):
    process = Process({} if start is None else {"CUDA_VISIBLE_DEVICES": start})
    for event in events:
        if event == ("child",):
            process = Process(process.environ)
        else:
            process.do(*event)
    return process.visible() if process.frozen is None else process.frozen
