"""The goals, and how far the results are from them.

What is compared is compared within a round: of two programs' samples of the same round the ratio, of the ratios the
median. So the drift of the machine's speed from round to round falls out.
"""

from statistics import median
from typing import Callable, NamedTuple

MIB = 1024  # of KiB


class Results:
    """Medians over the samples of a run; nil where nothing was measured."""

    def __init__(self, results):
        self.samples = results["samples"]
        self.about = results["about"]

    def all(self, scenario, program):
        return self.samples.get(scenario, {}).get(program, [])

    def value(self, scenario, program, of):
        values = [of(sample) for sample in self.all(scenario, program) if sample]
        return median(values) if values else None

    def compared(self, scenario, program, other, of, how=lambda a, b: a / b):
        pairs = zip(self.all(scenario, program), self.all(scenario, other))
        values = [how(of(a), of(b)) for a, b in pairs if a and b and of(b)]
        return median(values) if values else None


def rate(sample):
    return sample["requests_per_second"]


def throughput(sample):
    return sample["bytes"] / sample["seconds"] / 1e6


def cpu(sample):
    return sample["cpu_us_per_request"]


def cpu_seconds(sample):
    return sample["cpu_us_per_request"] * sample["requests"] / 1e6


def milliseconds(sample):
    return sample["seconds"] * 1000


def peak(sample):
    return sample["peak_kib"] / MIB


def over_idle(sample):
    return (sample["peak_kib"] - sample["idle_kib"]) / MIB


def difference(a, b):
    return a - b


class Goal(NamedTuple):
    name: str
    floor: float
    aim: float
    unit: str
    is_ceiling: bool  # whether less is better
    value: Callable

    def verdict(self, value):
        if value is None:
            return "not measured"
        for limit, word in ((self.aim, "aim met"), (self.floor, "floor met")):
            if (value <= limit) if self.is_ceiling else (value >= limit):
                return word
        return "**not met**"


def at_least(name, floor, aim, value):
    return Goal(name, floor, aim, "", False, value)


def at_most(name, floor, aim, unit, value):
    return Goal(name, floor, aim, unit, True, value)


def ratio(scenario, other, of):
    return lambda results: results.compared(scenario, "convoy", other, of)


def over(scenario, other, of):
    return lambda results: results.compared(scenario, "convoy", other, of, difference)


def own(scenario, of, program="convoy"):
    return lambda results: results.value(scenario, program, of)


def goals():
    found = []
    for version in ("h1", "h2"):
        for concurrency in (1, 16, 64):
            scenario, is_one = f"get-{version}-c{concurrency}", concurrency == 1
            floor, aim = (0.80, 0.95) if is_one else (0.85, 1.0)
            found.append(at_least(f"{scenario}: requests/s ÷ raw C", floor, aim, ratio(scenario, "raw", rate)))
            floor, aim = (3.5, 4.5 if version == "h1" else 4) if is_one else (10, 15)
            found.append(
                at_least(f"{scenario}: requests/s ÷ URLSession", floor, aim, ratio(scenario, "urlsession", rate)))
            if not is_one:
                found.append(
                    at_most(f"{scenario}: CPU a request ÷ raw C", 1.4, 1.15, "", ratio(scenario, "raw", cpu)))
    for scenario in ("download-h1", "download-h2", "upload-h1", "upload-h2"):
        found.append(at_least(f"{scenario}: MB/s ÷ raw C", 0.9, 1.0, ratio(scenario, "raw", throughput)))
        found.append(at_most(f"{scenario}: peak memory over idle", 4, 2, " MiB", own(scenario, over_idle)))
    for scenario in ("first-http", "first-https"):
        found.append(at_most(f"{scenario}: over raw C", 3, 1, " ms", over(scenario, "raw", milliseconds)))
    found += [
        at_most("first-https-system: in all", 15, 15, " ms", own("first-https-system", milliseconds)),
        at_most("inflight: 1,000 over one", 25, 15, " MiB", own("inflight", over_idle)),
        at_most("wait: CPU while waiting for an answer", 0.02, 0.01, " s", own("wait", cpu_seconds)),
        at_most("h1, c=16: system calls a request", 7, 5, "", own("counts", lambda s: s["system_calls"])),
        at_most("h1, c=16: epoll_ctl a request", 0.1, 0.005, "", own("counts", lambda s: s["epoll_ctl"])),
        at_most("h1, c=16: context switches a request", 1, 0.3, "",
                own("get-h1-c16", lambda s: s["switches_per_request"])),
        at_most("cold: `convoy send` ÷ `curl`, wall time", 3, 1.5, "",
                lambda results: results.compared("cold", "convoy-tool", "curl", milliseconds)),
    ]
    return found
