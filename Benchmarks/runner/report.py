"""Writes the results as Markdown.

`python3 report.py performance.json` does it again from what was measured, without a file it writes an empty report.
"""

import json
import sys

import goals
from goals import Results, cpu, cpu_seconds, milliseconds, over_idle, peak, rate, throughput
from plan import SCENARIOS

NAMES = {
    "convoy": "Convoy", "convoy-6": "Convoy, 6 connections (its default)", "raw": "raw C",
    "raw-kept": "raw C, idle sockets left in epoll", "urlsession": "URLSession", "go": "Go",
    "convoy-tool": "`convoy send`", "curl": "`curl -s`",
}


# The share of the processors' time that others may take before the numbers are called into question.
BUSY = 0.05


def number(value, unit=""):
    """Three digits that mean something, no more."""
    if value is None:
        return "–"
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.095 or size == 0 else 4
    return f"{value:,.{digits}f}{unit}"


def shown(value):
    return "" if value is None else number(value)


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "|".join("---" for _ in heads) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def rows_of(results, kinds):
    """Each scenario of these kinds with each program that was measured in it."""
    for scenario in SCENARIOS:
        if scenario.kind in kinds:
            for program in NAMES:
                if any(results.all(scenario.name, program)):
                    yield scenario.name, program


def ratio(results, scenario, program, other, of):
    return "" if program == other else number(results.compared(scenario, program, other, of))


def speed_table(results, kinds, of, unit, columns):
    """A row for each program: its speed, that over the others', and further columns."""
    heads = ["", "", unit, "÷ raw C", "÷ URLSession", *(head for head, _ in columns)]
    rows, last = [], None
    for scenario, program in rows_of(results, kinds):
        rows.append([
            f"`{scenario}`" if scenario != last else "", NAMES[program], number(results.value(scenario, program, of)),
            ratio(results, scenario, program, "raw", of), ratio(results, scenario, program, "urlsession", of),
            *(shown(column(scenario, program)) for _, column in columns),
        ])
        last = scenario
    return table(heads, rows) if rows else None


def plain_table(results, kinds, columns):
    rows, last = [], None
    for scenario, program in rows_of(results, kinds):
        rows.append([
            f"`{scenario}`" if scenario != last else "", NAMES[program],
            *(number(results.value(scenario, program, of)) for _, of in columns)])
        last = scenario
    return table(["", "", *(head for head, _ in columns)], rows) if rows else None


def tables(results):
    def value(of):
        return lambda scenario, program: results.value(scenario, program, of)

    def over_raw(scenario, program):
        return None if program == "raw" else results.compared(scenario, program, "raw", cpu)

    delay = results.about["delay_ms"] // 1000
    yield "Requests", speed_table(results, ["get"], rate, "requests/s", [
        ("CPU µs a request", value(cpu)), ("÷ raw C", over_raw),
        ("context switches", value(lambda s: s["switches_per_request"])), ("peak MiB", value(peak))])
    yield "Transfers", speed_table(results, ["download", "upload"], throughput, "MB/s", [
        ("CPU s a GiB", value(lambda s: cpu_seconds(s) * (1 << 30) / s["bytes"])), ("peak MiB", value(peak)),
        ("over idle", value(over_idle))])
    yield "1,000 requests at once, answered after a second", plain_table(results, ["inflight"], [
        ("peak MiB", peak), ("over one in flight", over_idle), ("CPU µs a request", cpu), ("ms in all", milliseconds)])
    yield "The first request of a process", plain_table(results, ["first"], [
        ("ms", milliseconds), ("CPU ms", lambda s: cpu(s) / 1000), ("peak MiB", peak)])
    yield f"Waiting {delay} s for an answer", plain_table(results, ["wait"], [("CPU s", cpu_seconds)])
    yield "The tool: a whole process for 1 KiB", plain_table(results, ["cold"], [
        ("ms", milliseconds), ("CPU ms", lambda s: cpu(s) / 1000), ("peak MiB", peak)])
    yield "System calls a request, HTTP/1.1, 16 at once", plain_table(results, ["counts"], [
        ("system calls", lambda s: s["system_calls"]), ("of them epoll_ctl", lambda s: s["epoll_ctl"])])


def goal_table(results):
    results = results if isinstance(results, Results) else Results(results)
    rows = []
    for goal in goals.goals():
        value = goal.value(results)
        sign = "≤" if goal.is_ceiling else "≥"
        if value is not None:
            limits = [f"{sign} {limit:g}{goal.unit}" for limit in (goal.floor, goal.aim)]
            rows.append([goal.name, number(value, goal.unit), *limits, goal.verdict(value)])
    return table(["goal", "measured", "floor", "aim", ""], rows)


METHOD = """
## How it is measured

`make bench` builds everything, starts nginx and a sink on this machine, and runs one process for each number. In each
of the rounds every program is measured in every scenario, in changing order; the tables have the medians over the
rounds. A machine's speed drifts, so programs are compared within a round: a ratio is the median of the rounds' ratios,
which is not quite the ratio of the medians.

- **Convoy** is `Client` in default use: completed requests, validation, decoded bodies, metrics, time limits. One thing
  is changed: over HTTP/1.1 it gets as many connections to the host as there are requests at once, as the others have
  (its default is 6, which stands in a row of its own). On HTTP/2 all share one connection anyway.
- **raw C** is the limit of the engine: `Benchmarks/raw`, libcurl's multi interface with epoll on one thread, handles
  used again, headers received and not parsed, the same buffers for transfers. It does what libcurl asks for; with idle
  sockets left in epoll, as Convoy does it, it stands in a row of its own.
- **URLSession** is Foundation's, without a cache, with raised `httpMaximumConnectionsPerHost`, and measured with fewer
  requests. On Linux it trusts the system's bundle and nothing else, so it runs where the test root is in that place.
- **Go** is net/http with more idle connections kept than its default of 2, if golang is installed.

HTTP/1.1 goes over clear connections, HTTP/2 over TLS with our root as the only authority. Every program counts its
answers and their bytes; one error and the measurement does not count. CPU is user and system time of the process, peak
memory is `VmHWM`. "Idle" is the memory after the warm-up: for transfers one small request over the same connection, for
the 1,000 at once one of them (raw C has made its 1,000 handles by then). `first` counts from the beginning of `main`; in
`first-https-system` the system's authorities are trusted as well (the others load them as one file, since they take
only one). Uploads go to nginx over HTTP/2, which writes them to a file, and to the sink over HTTP/1.1, which throws them
away. System calls are counted by perf, or by strace where there is no perf, as the difference of two runs of different
length.

```sh
make bench                          # everything, 7 rounds; writes this file and performance.json
make bench ROUNDS=9                 # more rounds
make bench ONLY='get-h1-* wait'     # a part; the report goes to Benchmarks/.build/report
make bench QUICK=1                  # three short rounds, to see that everything works; the same
```

The machine should have nothing else to do meanwhile. Nothing in CI depends on these numbers.
"""


HEAD = """# Performance

<!-- Written by `make bench`. Do not edit: the text is in Benchmarks/runner/report.py. -->

"""


def markdown(results):
    results = Results(results)
    about = results.about
    text = HEAD + f"Measured on {about['date']} at {about['commit']}; rounds: {about['rounds']},"
    text += f" in {about['minutes']:.0f} min.\n"
    if about["quick"]:
        text += "\n**A quick run: it shows that everything works, not how fast it is.**\n"
    if max(about["busy"]) > BUSY:
        text += f"\n**The machine was busy with other things ({max(about['busy']):.0%} of its time before or after):"
        text += " do not trust the numbers.**\n"
    text += "\n## Goals\n\n" + goal_table(results)
    for title, body in tables(results):
        if body:
            text += f"\n## {title}\n\n{body}"
    if any(sample is None for own in results.samples.values() for all in own.values() for sample in all):
        text += "\nSome measurements failed and are left out.\n"
    text += METHOD + "\n## The machine\n\n"
    text += f"{about['processor']}, {about['cores']} cores, {about['memory_gib']} GiB; {about['system']}, "
    text += f"Linux {about['kernel']}. Large files lay in {about['scratch']}; transfers are of "
    text += f"{about['transfer_bytes'] >> 20:,} MiB, a quarter of that for URLSession's uploads.\n\n"
    return text + "\n".join(f"- {version}" for version in about["versions"]) + "\n"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(HEAD + "Not yet run on an idle machine.\n" + METHOD, end="")
        sys.exit()
    with open(sys.argv[1], encoding="utf-8") as file:
        print(markdown(json.load(file)), end="")
