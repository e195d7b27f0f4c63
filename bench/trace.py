"""Reads a trace of Chromium: the tasks of a page's main thread, and what took their time."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

CATEGORIES = [
    *("toplevel", "blink.user_timing", "devtools.timeline"),
    *("disabled-by-default-devtools.timeline", "v8"),
]
_TASKS = {"ThreadControllerImpl::RunTask", "RunTask"}
_HIDDEN = {"FunctionCall", "EvaluateScript", "RunMicrotasks", "FireAnimationFrame", "TimerFire"}


@dataclass(slots=True)
class Task:
    """A task of the main thread: `at` and `ms` in milliseconds; `causes` are self times by name."""

    at: float
    ms: float
    phase: str = ""
    causes: dict[str, float] = field(default_factory=dict)

    def main_causes(self) -> str:
        """The largest parts of it in words."""
        parts = sorted(self.causes.items(), key=lambda part: -part[1])
        return ", ".join(f"{name} {ms:.0f}" for name, ms in parts[:5] if ms >= 1)


def tasks_of(trace: bytes, phases: list[str], least: float) -> list[Task]:
    """Tasks of at least so many milliseconds, each in the phase whose mark came last before it.

    The page sets the marks with `performance.mark(phase)`; the first phase begins with the trace.
    Times are processor times of the thread, where the trace has them: others share the machine.
    """
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    marks = {
        event["name"]: event
        for event in events
        if event.get("name") in phases and "blink.user_timing" in event.get("cat", "")
    }
    if not marks:
        raise ValueError("the trace has none of the marks")
    thread = next((event["pid"], event["tid"]) for event in marks.values())
    own = [e for e in events if (e["pid"], e["tid"]) == thread and e.get("ph") == "X"]
    own.sort(key=lambda event: (event["ts"], -event.get("dur", 0)))
    starts = sorted((event["ts"], name) for name, event in marks.items())
    found = []
    for task in _tasks(own):
        if task.ms < least:
            continue
        begun = [name for ts, name in starts if ts <= task.at * 1000]
        task.phase = begun[-1] if begun else phases[0]
        found.append(task)
    return found


def _tasks(events: list[dict[str, Any]]) -> Iterator[Task]:
    """Group a thread's events by the tasks around them."""
    task: Task | None = None
    end = -1.0
    stack: list[tuple[str, float]] = []
    for event in events:
        ts, ms = event["ts"], event.get("tdur", event.get("dur", 0)) / 1000
        if event["name"] in _TASKS and ts >= end:
            if task:
                yield task
            task, end, stack = Task(ts / 1000, ms), ts + event.get("dur", 0), []
        elif task and ts < end:
            while stack and ts >= stack[-1][1]:
                stack.pop()
            name = _name(event)
            if stack:
                above = stack[-1][0]
                task.causes[above] = task.causes.get(above, 0) - ms
            task.causes[name] = task.causes.get(name, 0) + ms
            stack.append((name, ts + event.get("dur", 0)))
    if task:
        yield task


def _name(event: dict[str, Any]) -> str:
    data = event.get("args", {}).get("data") or {}
    name: str = event["name"]
    if name in _HIDDEN:
        return "script"
    if name == "EventDispatch":
        return f"event {data.get('type', '')}"
    return name
