"""Measures all programs in interleaved rounds and writes the report. scripts/bench.sh starts it, with nginx at hand.

The rounds are interleaved since a machine's speed drifts: in each round every program is measured in each scenario, and
programs are compared within a round only.
"""

import datetime
import json
import os
import platform
import resource
import subprocess
import sys
import time

import plan
import report
from measure import Failed, sample


def say(text):
    print(f"bench: {text}", flush=True)


def start_sink(tools):
    sink = subprocess.Popen([os.path.join(tools, "bench-sink")], stdout=subprocess.PIPE, text=True)
    return sink, f"http://127.0.0.1:{int(sink.stdout.readline())}"


def make_files(setting, scenarios, programs):
    """What is downloaded and uploaded; not zeros, which the kernel would keep in a single page."""
    block = os.urandom(plan.MIB)
    kinds = [scenario for scenario in scenarios if scenario.kind in ("download", "upload")]
    for size in {setting.size_for(scenario, program) for scenario in kinds for program in programs}:
        with open(setting.source(size), "wb") as file:
            for _ in range(size // plan.MIB):
                file.write(block)
    # A root of ours among the system's, for the programs that take just one file.
    with open(setting.bundle, "wb") as bundle:
        for path in [setting.root, *[path for path in plan.BUNDLES if os.path.exists(path)][:1]]:
            with open(path, "rb") as part:
                bundle.write(part.read() + b"\n")


def first_line(words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else None


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(file.readline().split()[1]) >> 20
    commit = first_line(["git", "describe", "--always", "--dirty", "--exclude=*"])
    versions = [
        first_line(["swift", "--version"]), first_line(["curl", "--version"]), first_line(["nginx", "-v"]),
        first_line(["go", "version"]) or "no Go", first_line(["cc", "--version"]),
    ]
    return {
        "date": datetime.date.today().isoformat(), "commit": commit, "cores": os.cpu_count(),
        "processor": models[0] if models else platform.machine(), "memory_gib": memory,
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", "Linux"), "kernel": platform.release(),
        "versions": [version for version in versions if version],
    }


def busy():
    """The share of the processors' time that is taken while nothing is measured."""
    def read():
        with open("/proc/stat", encoding="ascii") as file:
            times = [int(word) for word in file.readline().split()[1:9]]
        return sum(times), times[3] + times[4]

    total, idle = read()
    time.sleep(2)
    total_after, idle_after = read()
    return 1 - (idle_after - idle) / max(1, total_after - total)


def steps_of(scenarios, programs, number):
    """One round: each scenario with all its programs. Who comes first changes, lest it be always the same one that
    meets what the one before it left behind."""
    for scenario in scenarios:
        if number >= scenario.most_rounds:
            continue
        own = [program for program in scenario.programs if program in programs]
        turn = number % max(1, len(own))
        for repeat in range(scenario.repeats):
            for program in own[turn:] + own[:turn]:
                yield scenario, program, repeat


def shown(result):
    if "counter" in result:
        return f"{result['system_calls']:.2f} system calls a request ({result['counter']})"
    if result["requests"] == 1:
        return f"{result['seconds'] * 1000:.1f} ms"
    return f"{result['requests_per_second']:.0f} requests a second"


def measure(setting, scenarios, programs, rounds):
    """Samples by scenario and program, one for each time it was measured: None where it failed."""
    samples = {scenario.name: {program: [] for program in scenario.programs if program in programs}
               for scenario in scenarios}
    took = {}  # how long a step took last time
    steps = [[*steps_of(scenarios, programs, number)] for number in range(rounds)]
    rest = [step for one in steps for step in one]
    for number, one in enumerate(steps):
        for scenario, program, repeat in one:
            began = time.monotonic()
            try:
                result = sample(setting, scenario, program)
                text = shown(result)
            except Failed as failure:
                result, text = None, f"FAILED: {failure}"
            samples[scenario.name][program].append(result)
            took[scenario.name, program] = time.monotonic() - began
            rest.pop(0)
            # Steps that were not seen yet are taken for average ones.
            average = sum(took.values()) / len(took)
            left = sum(took.get((other.name, name), average) for other, name, _ in rest)
            if result is None or repeat == scenario.repeats - 1:
                say(f"round {number + 1} of {rounds}, {scenario.name}, {program}: {text}; "
                    f"{left / 60:.1f} min left")
    return samples


def as_json(results):
    """A line for each program in each scenario; as many digits as mean something."""
    def compact(value):
        if isinstance(value, dict):
            known = ("program", "scenario", "errors")  # from where it stands, and that it stands there
            return {key: compact(part) for key, part in value.items() if key not in known}
        return float(f"{value:.5g}") if isinstance(value, float) else value

    scenarios = []
    for scenario, programs in results["samples"].items():
        lines = [f"   {json.dumps(program)}: {json.dumps([compact(one) for one in samples])}"
                 for program, samples in programs.items()]
        scenarios.append(f"  {json.dumps(scenario)}: {{\n" + ",\n".join(lines) + "\n  }")
    about = json.dumps(compact(results["about"]))
    return f'{{\n "about": {about},\n "samples": {{\n' + ",\n".join(scenarios) + "\n }\n}\n"


def main():
    _, tools, scratch, folder, where = sys.argv
    quick = bool(os.environ.get("QUICK"))
    rounds = int(os.environ.get("ROUNDS") or (3 if quick else 7))
    only = os.environ.get("ONLY", "")
    scenarios = plan.selected(only)
    # A thousand connections at once need as many descriptors.
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    programs = [*plan.PROGRAMS, "convoy-tool", "curl"]
    if not os.path.exists(os.path.join(tools, "bench-go")):
        programs.remove("go")
        say("golang is not installed: Go's net/http is not measured")
    environment = os.environ
    sink, sink_url = start_sink(tools)
    setting = plan.Setting(
        quick=quick, tools=tools, convoy_tool=os.path.join(tools, "convoy"), scratch=scratch, folder=folder,
        http=environment["CONVOY_TEST_NGINX"], https=environment["CONVOY_TEST_NGINX_TLS"], sink=sink_url,
        root=os.path.join(environment["CONVOY_TEST_CERTIFICATES"], "root.pem"),
        bundle=os.path.join(scratch, "bundle.pem"))
    environment["TMPDIR"] = scratch  # URLSession downloads into a temporary file, which it moves to its place

    about = machine()
    about["busy"] = [busy()]
    if about["busy"][0] > report.BUSY:
        say(f"others take {about['busy'][0]:.0%} of the processors' time: the numbers will not be worth much")
    began = time.monotonic()
    try:
        make_files(setting, scenarios, programs)
        samples = measure(setting, scenarios, programs, rounds)
    finally:
        sink.kill()
    about["busy"].append(busy())
    about |= {
        "quick": quick, "only": only, "rounds": rounds, "minutes": (time.monotonic() - began) / 60,
        "scratch": "memory" if scratch.startswith("/dev/shm/") else "disk", "transfer_bytes": setting.size,
        "delay_ms": setting.delay,
    }
    results = {"about": about, "samples": samples}
    os.makedirs(where, exist_ok=True)
    for name, text in (("json", as_json(results)), ("md", report.markdown(results))):
        with open(os.path.join(where, f"performance.{name}"), "w", encoding="utf-8") as file:
            file.write(text)
    print(report.goal_table(results))
    say(f"wrote {os.path.relpath(where)}/performance.md and .json; it took {about['minutes']:.1f} min")
    failed = sum(one is None for programs in samples.values() for all in programs.values() for one in all)
    if failed:
        sys.exit(f"bench: {failed} measurements failed; see above")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
