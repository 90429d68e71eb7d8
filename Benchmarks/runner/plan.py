"""What is measured: the scenarios, and the command line of each program for each of them."""

import os
from fnmatch import fnmatch
from typing import NamedTuple

GIB = 1 << 30
MIB = 1 << 20

# The order in which they stand in every table. Variants of a program: raw-kept leaves idle sockets in epoll, convoy-6
# keeps the default of six connections to a host.
PROGRAMS = ["convoy", "convoy-6", "raw", "raw-kept", "urlsession", "go"]
MAIN = ("convoy", "raw", "urlsession", "go")

# Where URLSession's libcurl looks for authorities; the first that exists is the one it reads.
BUNDLES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]


class Scenario(NamedTuple):
    name: str
    kind: str  # the programs' own word for it; "cold" and "counts" are the runner's
    programs: tuple = MAIN
    path: str = "1k"
    http2: bool = False
    concurrency: int = 1
    requests: int = 1
    slow_requests: int = 1  # for URLSession, which would take ten times as long
    repeats: int = 1  # within a round
    most_rounds: int = 1000


SCENARIOS = [
    Scenario("get-h1-c1", "get", requests=8000, slow_requests=1500),
    Scenario("get-h1-c16", "get", (*MAIN, "raw-kept"), concurrency=16, requests=30000, slow_requests=2000),
    Scenario("get-h1-c64", "get", (*MAIN, "convoy-6"), concurrency=64, requests=30000, slow_requests=2000),
    Scenario("get-h2-c1", "get", http2=True, requests=6000, slow_requests=1200),
    Scenario("get-h2-c16", "get", (*MAIN, "raw-kept"), http2=True, concurrency=16, requests=24000, slow_requests=2000),
    Scenario("get-h2-c64", "get", http2=True, concurrency=64, requests=24000, slow_requests=2000),
    Scenario("get-64k-h1-c16", "get", path="64k", concurrency=16, requests=12000, slow_requests=1000),
    Scenario("download-h1", "download"),
    Scenario("download-h2", "download", http2=True),
    Scenario("upload-h1", "upload"),
    Scenario("upload-h2", "upload", http2=True),
    Scenario("inflight", "inflight", concurrency=1000, requests=1000, slow_requests=1000),
    Scenario("first-http", "first", repeats=3),
    Scenario("first-https", "first", http2=True, repeats=3),
    Scenario("first-https-system", "first", http2=True, repeats=3),
    Scenario("wait", "wait"),
    Scenario("cold", "cold", ("convoy-tool", "curl"), repeats=10),
    Scenario("counts", "counts", concurrency=16, requests=4000, slow_requests=1000, most_rounds=3),
]


def selected(patterns):
    """The scenarios that `ONLY` names: words, or patterns as the shell's; all without it."""
    wanted = patterns.replace(",", " ").split() or ["*"]
    for pattern in wanted:
        if not any(fnmatch(scenario.name, pattern) for scenario in SCENARIOS):
            raise SystemExit(f"bench: no scenario {pattern}; there are {' '.join(s.name for s in SCENARIOS)}")
    return [s for s in SCENARIOS if any(fnmatch(s.name, pattern) for pattern in wanted)]


class Setting(NamedTuple):
    """Where things are in this run, and how long it is to be."""

    quick: bool
    tools: str  # the folder with the programs
    convoy_tool: str
    scratch: str  # a folder for large files, in memory if there is room
    http: str
    https: str
    sink: str
    folder: str  # the path under which nginx serves the scratch folder
    root: str  # the PEM file of our root
    bundle: str  # the same with the system's roots

    @property
    def size(self):
        return 128 * MIB if self.quick else GIB

    def size_for(self, scenario, program):
        # URLSession uploads at a tenth of the others' speed.
        return self.size // 4 if program == "urlsession" and scenario.kind == "upload" else self.size

    @property
    def target(self):
        return os.path.join(self.scratch, "target")

    def source(self, size):
        return os.path.join(self.scratch, f"source-{size // MIB}m")

    @property
    def delay(self):
        return 1000 if self.quick else 3000


def base(setting, scenario):
    return setting.https if scenario.http2 else setting.http


def requests_of(setting, scenario, program):
    count = scenario.slow_requests if program == "urlsession" else scenario.requests
    return max(count // 10, 50) if setting.quick and scenario.kind == "get" else count


def arguments(setting, scenario, program):
    """What follows the program's name."""
    site, size = base(setting, scenario), setting.size_for(scenario, program)
    requests = requests_of(setting, scenario, program)
    words = ["--requests", str(requests), "--concurrency", str(scenario.concurrency)]
    if scenario.kind in ("get", "counts"):
        # Twenty for each connection, so that all stand and the handles, pools and caches are filled.
        warmup = 0 if scenario.kind == "counts" else min(requests, max(20 * scenario.concurrency, 200))
        words = ["get", f"{site}/{scenario.path}", *words, "--warmup", str(warmup)]
    elif scenario.kind == "download":
        url = f"{site}/{setting.folder}/{os.path.basename(setting.source(size))}"
        words = ["download", url, *words, "--warmup", "1", "--warm-url", f"{site}/1k", "--file", setting.target]
    elif scenario.kind == "upload":
        # nginx writes what it receives into a file first, the sink throws it away; but the sink knows no HTTP/2.
        site = site if scenario.http2 else setting.sink
        warm = ["--warmup", "1", "--warm-url", f"{site}/1k"]
        words = ["upload", f"{site}/upload", *words, *warm, "--file", setting.source(size)]
    elif scenario.kind == "inflight":
        # The warm-up is the one in flight that the thousand are compared with.
        warm = ["--warmup", "1", "--warm-url", f"{setting.sink}/delay/10"]
        words = ["inflight", f"{setting.sink}/delay/1000", *words, *warm]
    elif scenario.kind == "wait":
        warm = ["--warmup", "1", "--warm-url", f"{setting.sink}/1k"]
        words = ["wait", f"{setting.sink}/delay/{setting.delay}", *words, *warm]
    elif scenario.kind == "first":
        words = ["first", f"{site}/1k", *words]
    words += ["--protocol", "h2" if scenario.http2 else "h1"]
    if scenario.http2:
        words += ["--ca", trusted(setting, scenario, program)]
    return words


def trusted(setting, scenario, program):
    # Convoy takes the system's authorities by itself; libcurl, URLSession and Go need one file that holds all.
    is_system = scenario.name.endswith("-system")
    return setting.bundle if is_system and not program.startswith("convoy") else setting.root


def command(setting, scenario, program):
    words = arguments(setting, scenario, program)
    tool = os.path.join(setting.tools, f"bench-{program.split('-')[0]}")
    if program == "convoy":
        if not scenario.http2 and scenario.concurrency > 6:
            words += ["--connections", str(scenario.concurrency)]
        if scenario.name.endswith("-system"):
            words += ["--system-trust"]
    if program == "raw-kept":
        words += ["--keep-registered"]
    if program == "urlsession" and scenario.http2:
        return trusting(trusted(setting, scenario, program)) + [tool, *words]
    return [tool, *words]


def trusting(file):
    """Runs a command in a mount namespace of its own, in which the system's bundle is this file: the only way to make
    URLSession trust a root of one's own that leaves the system as it is."""
    bundle = next((path for path in BUNDLES if os.path.exists(path)), BUNDLES[0])
    script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", file, bundle]
