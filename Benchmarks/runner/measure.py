"""Runs one program once and gives what it measured."""

import json
import os
import shutil
import subprocess
import tempfile
import time

from plan import command, requests_of


class Failed(Exception):
    pass


def sample(setting, scenario, program):
    if scenario.kind == "cold":
        return cold(setting, program)
    if scenario.kind == "counts":
        return counts(setting, scenario, program)
    try:
        return checked(run(command(setting, scenario, program)), setting, scenario, program)
    finally:
        if os.path.exists(setting.target):
            os.remove(setting.target)


def run(words):
    """The line of JSON that a program prints."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        raise Failed("not done after 300 s") from None
    except OSError as error:
        raise Failed(str(error)) from None
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        raise Failed((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[0][:300])
    result = json.loads(lines[-1])
    if result["errors"]:
        raise Failed(f"{result['errors']} errors: {done.stderr.strip()[:300]}")
    return result


def checked(result, setting, scenario, program):
    """That all bytes came: a fast client that loses some is no fast client."""
    expected = {
        "download": setting.size_for(scenario, program),
        "upload": setting.size_for(scenario, program),
    }.get(scenario.kind, result["requests"] * (65536 if scenario.path == "64k" else 1024))
    if result["bytes"] != expected:
        raise Failed(f"{result['bytes']} bytes instead of {expected}")
    return result


def cold(setting, program):
    """A whole process, from its making to its end, for one request."""
    url = f"{setting.http}/1k"
    words = [setting.convoy_tool, "send", url] if program == "convoy-tool" else [shutil.which("curl"), "-s", url]
    with open(os.devnull, "w", encoding="ascii") as null:
        began = time.perf_counter()
        # Spawned without Python's subprocess, which takes longer than the process itself.
        process = os.posix_spawn(
            words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null.fileno(), 1)])
        _, status, usage = os.wait4(process, 0)
        seconds = time.perf_counter() - began
    if status:
        raise Failed(f"{' '.join(words)}: exit code {os.waitstatus_to_exitcode(status)}")
    return {
        "program": program, "scenario": "cold", "requests": 1, "seconds": seconds, "errors": 0, "bytes": 1024,
        "cpu_us_per_request": (usage.ru_utime + usage.ru_stime) * 1e6, "peak_kib": usage.ru_maxrss,
    }


# MARK: System calls


def counter():
    """What can count system calls here: perf, which hardly slows the program; else strace, which does, so that more
    happens between two system calls and fewer are needed; else nothing."""
    if shutil.which("perf"):
        try:
            if perf(["true"])[0] > 0:
                return "perf", perf
        except (Failed, ValueError, IndexError):
            pass
    return ("strace", strace) if shutil.which("strace") else (None, None)


def counts(setting, scenario, program):
    """System calls a request: of two runs of different length the difference, so that starting does not count."""
    name, count = counter()
    if not count:
        raise Failed("neither perf nor strace is there to count system calls")
    requests = requests_of(setting, scenario, program)
    short = count(command(setting, scenario._replace(requests=requests // 8, slow_requests=requests // 8), program))
    long = count(command(setting, scenario, program))
    system, control = ((b - a) / (requests - requests // 8) for a, b in zip(short, long))
    return {"program": program, "scenario": "counts", "counter": name, "system_calls": system, "epoll_ctl": control}


def perf(words):
    events = "raw_syscalls:sys_enter,syscalls:sys_enter_epoll_ctl"
    report = traced(["perf", "stat", "-x", ",", "-e", events, "-o"], words)
    rows = [line.split(",") for line in report.splitlines() if "sys_enter" in line]
    return int(rows[0][0]), int(rows[1][0])


def strace(words):
    total = control = 0
    for line in traced(["strace", "-c", "-f", "-o"], words).splitlines():
        fields = line.split()
        if fields and fields[-1] == "epoll_ctl":
            control = int(fields[3])
        if fields and fields[-1] == "total":
            total = int(fields[3])
    return total, control


def traced(tool, words):
    with tempfile.NamedTemporaryFile() as report:
        done = subprocess.run(
            [*tool, report.name, *words], capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            raise Failed(f"{tool[0]}: {done.stderr.strip()[:200]}")
        if done.stdout and json.loads(done.stdout.splitlines()[-1])["errors"]:
            raise Failed(f"errors: {done.stderr.strip()[:200]}")
        return report.read().decode()
