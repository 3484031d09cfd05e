"""Cases of `best_settings`: three machines, and runs that luck or another program disturbs.

The times are modelled, in ms: how long an epoch takes on a machine with so many workers.
"""

from statistics import median

from exercise_kit import Look


def not_the_choice(seen, right, data):
    """What is certain of a number of workers that no known wrong answer gives."""
    times = {workers: median(three) for workers, three in data["runs"]}
    time, best = times.get(seen["value"]), min(times.values())
    if time is None:
        return "other-result"
    if time > (1 + data["tolerance"]) * best:
        return "not-good-enough"
    return "only-the-fastest" if time == best else "not-the-smallest"


looks = (
    Look("others", "other-candidates", says="measured, but not a candidate"),
    Look("counts", "other-number-of-runs", says="runs"),
    Look("rounds", "not-in-rounds", says="measured in three rounds"),
    Look("result", not_the_choice),
)

EXAMPLE = [[0, [900, 910, 905]], [1, [560, 555, 980]], [2, [500, 505, 510]], [4, [490, 480, 700]]]


def epoch(workers, *, decoding, disk, gpu, cores):
    """An epoch on a machine: its parts one after the other, or at once where there are workers."""
    if not workers:
        return decoding + disk + gpu
    return max(decoding // min(workers, cores), disk, gpu) + 16 * workers


def cases(rng):
    def machine(**given):
        usual = {"decoding": rng.randrange(2000, 4000), "disk": 200, "gpu": 300, "cores": 16}
        return usual | given

    def measured(model, count=6, lucky=0, bad=0, order=sorted):
        """Of some candidates the times of three runs, the median where the model has it."""
        runs = []
        for workers in order(rng.sample((0, 1, 2, 3, 4, 6, 8, 12), count)):
            time = epoch(workers, **model)
            three = [time, time - rng.randint(1, 8 + lucky), time + rng.randint(1, 8 + bad)]
            runs.append([workers, rng.sample(three, 3)])
        return runs

    def shuffled(workers):
        return rng.sample(workers, len(workers))

    some = machine()
    few, many = machine(cores=rng.randint(2, 3)), machine(decoding=rng.randrange(6000, 9000))
    slow_disk = machine(disk=rng.randrange(1100, 1500))
    limit = [[1, [1000] * 3], [3, [900] * 3], [4, [800] * 3], [8, [820, 790, 800]]]
    more = rng.randrange(0, 200)

    def slower(runs):
        return [[workers, [time + more for time in three]] for workers, three in runs]

    lucky = slower([[0, [750] * 3], [2, [550, 400, 555]], [4, [530] * 3]])
    useless = slower([[0, [400] * 3], [2, [410, 400, 405]], [4, [420] * 3]])
    bad = slower([[0, [900] * 3], [2, [400, 405, 1300]], [4, [390, 395, 400]]])
    # each run by itself would lead astray
    differing = slower(
        [[0, [1200, 1200, 390]], [1, [900, 410, 900]], [2, [700, 400, 380]], [4, [390, 395, 500]]]
    )
    rows = [
        ("the task's example", EXAMPLE, 0.125),
        ("a lucky run shorter than every median", lucky, 0.125),
        ("a machine with two or three cores", measured(few, order=shuffled), 0.25),
        ("a machine with a slow disk", measured(slow_disk, bad=40), 0.125),
        ("a machine with many cores and much to decode", measured(many, lucky=60, bad=60), 0.5),
        ("one bad run", bad, 0.25),
        ("one lucky run", measured(some, lucky=180), 0.25),
        ("runs that differ", differing, 0.25),
        ("exactly at the limit", limit, 0.125),
        ("no tolerance at all", measured(machine(decoding=3200), lucky=5), 0.0),
        ("workers that save no time", useless, 0.125),
        ("one candidate", measured(some, count=1), 0.125),
    ]
    return [(title, {"runs": runs, "tolerance": tolerance}) for title, runs, tolerance in rows]
