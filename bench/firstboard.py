"""The browser client at a first visit: time to the first board, requests, and long tasks.

python -m bench firstboard --runs 5
"""

import argparse
import shutil
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, sync_playwright

from bench.processes import Server
from bench.trace import CATEGORIES, Task, tasks_of

# What Chromium needs to run as root, without a screen and without talking to anyone.
BROWSER = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PHONE = ViewportSize(width=360, height=640)
LONG_TASK = 50.0
PHASES = ["load", "lift", "move", "deal"]
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
SLOW_CPU = 4

WATCH = """
window.firstBoard = new Promise((resolve) => {
  const look = () => {
    const table = document.getElementById('table');
    if (!table || table.ariaBusy !== 'false' || table.querySelectorAll('.card').length < 52) return;
    watcher.disconnect();
    // The frame that shows the last card has been drawn when a task after it runs.
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
});
window.longTasks = [];
new PerformanceObserver((list) => {
  longTasks.push(...list.getEntries().map(({ duration }) => duration));
}).observe({ type: 'longtask', buffered: true });
window.shift = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) shift += value;
}).observe({ type: 'layout-shift', buffered: true });
performance.mark('load');
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"


@dataclass(slots=True)
class Wire:
    """One request or socket: milliseconds since the page was asked for, and bytes received."""

    name: str
    start: float
    head: float = 0
    end: float = 0
    size: float = 0


@dataclass(slots=True)
class Visit:
    """A first visit: when things were there, in milliseconds, and what went over the wire."""

    painted: float = 0
    board: float = 0
    shift: float = 0
    long_tasks: list[float] = field(default_factory=list)
    wires: dict[str, Wire] = field(default_factory=dict)


@contextmanager
def visitor(browser: Browser, *, slow_net: bool, slow_cpu: bool) -> Iterator[tuple[Page, Visit]]:
    """Open a browser that was never here, as a phone; its page is still empty."""
    context = browser.new_context(viewport=PHONE, has_touch=True, device_scale_factor=2)
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    visit = Visit()
    listen(session, visit)
    session.send("Network.enable")
    if slow_net:
        session.send("Network.emulateNetworkConditions", SLOW_4G)
    if slow_cpu:
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
    yield page, visit
    context.close()


def listen(session: CDPSession, visit: Visit) -> None:
    """Note each request, and each frame of the socket, while they happen."""
    began: list[float] = []

    def since(event: dict[str, Any]) -> float:
        began.append(event["timestamp"])
        return (float(event["timestamp"]) - began[0]) * 1000

    def sent(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("data:"):
            return
        name = f"{event['request']['method']} {event['request']['url'].split('/', 3)[3]}"
        visit.wires[event["requestId"]] = Wire(name, since(event))

    def answered(event: dict[str, Any]) -> None:
        if wire := visit.wires.get(event["requestId"]):
            wire.head = since(event)

    def finished(event: dict[str, Any]) -> None:
        if wire := visit.wires.get(event["requestId"]):
            wire.end, wire.size = since(event), event["encodedDataLength"]

    def dialled(event: dict[str, Any]) -> None:
        visit.wires[event["requestId"]] = Wire("socket", since(event))

    def frame(way: str, event: dict[str, Any]) -> None:
        at = since(event)
        size = len(event["response"]["payloadData"]) * 3 // 4
        visit.wires[f"{at} {way}"] = Wire(f"  {way} {size} B", at, at, at)

    session.on("Network.requestWillBeSent", sent)
    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    session.on("Network.webSocketWillSendHandshakeRequest", dialled)
    session.on("Network.webSocketHandshakeResponseReceived", answered)
    session.on("Network.webSocketFrameSent", lambda event: frame("sent", event))
    session.on("Network.webSocketFrameReceived", lambda event: frame("received", event))


def visit_once(browser: Browser, address: str, *, slow_net: bool, slow_cpu: bool) -> Visit:
    """Open the page for the first time and wait for the cards."""
    with visitor(browser, slow_net=slow_net, slow_cpu=slow_cpu) as (page, visit):
        page.goto(address, wait_until="commit")
        visit.board = page.evaluate("firstBoard")
        page.wait_for_timeout(700)
        visit.painted = page.evaluate(PAINTED)
        visit.long_tasks = page.evaluate("longTasks")
        visit.shift = page.evaluate("shift")
        return visit


def play_once(browser: Browser, address: str, *, slow_cpu: bool) -> list[Task]:
    """Open the page, lift a group, move it and deal anew, traced: the tasks that were too long."""
    with visitor(browser, slow_net=False, slow_cpu=slow_cpu) as (page, _):
        browser.start_tracing(page=page, categories=CATEGORIES)
        page.goto(address, wait_until="commit")
        page.evaluate("firstBoard")
        page.wait_for_timeout(1500)
        page.locator("[data-act=show]").click()
        group = page.locator(".mark-can").first.bounding_box()
        if group is None:
            raise RuntimeError("nothing can be moved")
        page.locator("[data-act=show]").click()
        page.wait_for_timeout(500)
        page.evaluate("performance.mark('lift')")
        x, y = group["x"] + group["width"] / 2, group["y"] + 4
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y + 30, steps=5)
        target = page.locator(".mark-target").first.bounding_box()
        page.wait_for_timeout(300)
        page.evaluate("performance.mark('move')")
        if target is not None:
            to = target["x"] + target["width"] / 2, target["y"] + target["height"] - 20
            page.mouse.move(*to, steps=10)
        page.mouse.up()
        page.wait_for_timeout(1000)
        page.evaluate("performance.mark('deal')")
        page.locator("[data-act=new]").click()
        page.wait_for_timeout(500)
        page.locator("dialog[open] .button-gold").click()
        page.wait_for_function("() => !document.querySelector('dialog[open]')")
        page.wait_for_timeout(1500)
        return tasks_of(browser.stop_tracing(), PHASES, LONG_TASK)


def report_visits(name: str, visits: list[Visit]) -> None:
    """Print medians of some visits, and what went over the wire in the middle one."""
    visits.sort(key=lambda visit: visit.board)
    middle = visits[len(visits) // 2]
    painted = statistics.median(visit.painted for visit in visits)
    total = sum(wire.size for wire in middle.wires.values())
    print(f"\n{name}: first board {middle.board:.0f} ms", end=" ")
    print(f"({visits[0].board:.0f} to {visits[-1].board:.0f}), first paint {painted:.0f}", end="")
    print(f", layout shift {max(visit.shift for visit in visits):.4f}", end="")
    print(f", {total / 1024:.1f} KiB, long tasks", end=" ")
    print([round(ms) for ms in middle.long_tasks])
    print("    start     head      end    bytes")
    for wire in sorted(middle.wires.values(), key=lambda wire: wire.start):
        if wire.start <= middle.board + 300:
            print(
                f"  {wire.start:7.0f}  {wire.head:7.0f}  {wire.end:7.0f}  {wire.size:7.0f}", end=""
            )
            print(f"  {wire.name}")


def report_tasks(name: str, plays: list[list[Task]]) -> None:
    """Print the tasks that were too long, of all runs."""
    print(f"\n{name}: tasks over {LONG_TASK:.0f} ms of processor time")
    for phase in PHASES:
        found = [[task for task in tasks if task.phase == phase] for tasks in plays]
        worst = [max((task.ms for task in tasks), default=0) for tasks in found]
        print(f"  {phase}: longest {statistics.median(worst):.0f} (median of {len(plays)} runs)")
        for task in sorted(found[-1], key=lambda task: task.at):
            print(f"    {task.ms:4.0f}  {task.main_causes()}")


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, run, and return 0."""
    parser = argparse.ArgumentParser(
        prog="python -m bench firstboard", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--address", help="a server that runs already, instead of one of its own")
    parser.add_argument("--only", choices=["visits", "tasks"])
    parser.add_argument("--profile", choices=["none", "net", "cpu", "both"])
    given = parser.parse_args(arguments)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if given.address:
        with sync_playwright() as playwright:
            run(playwright.chromium.launch(executable_path=chromium, args=BROWSER), given)
        return 0
    with Server(1) as server, sync_playwright() as playwright:
        given.address = server.address
        run(playwright.chromium.launch(executable_path=chromium, args=BROWSER), given)
    return 0


def run(browser: Browser, given: argparse.Namespace) -> None:
    """Measure with and without each throttle."""
    profiles = {
        "none": (False, False),
        "net": (True, False),
        "cpu": (False, True),
        "both": (True, True),
    }
    visit_once(browser, given.address, slow_net=False, slow_cpu=False)
    for name, (net, cpu) in profiles.items():
        if given.only == "tasks" or given.profile not in (None, name):
            continue
        visits = [
            visit_once(browser, given.address, slow_net=net, slow_cpu=cpu)
            for _ in range(given.runs)
        ]
        report_visits(WORDS[name], visits)
    for name in ("none", "cpu"):
        if given.only == "visits" or given.profile not in (None, name):
            continue
        plays = [
            play_once(browser, given.address, slow_cpu=profiles[name][1]) for _ in range(given.runs)
        ]
        report_tasks(WORDS[name], plays)
    browser.close()


WORDS = {
    "none": "nothing throttled",
    "net": "slow 4G",
    "cpu": f"processor {SLOW_CPU} times slower",
    "both": f"slow 4G, processor {SLOW_CPU} times slower",
}


if __name__ == "__main__":
    raise SystemExit(main())
