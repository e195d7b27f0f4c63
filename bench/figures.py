"""What bots saw and what the server's processes used, printed; it measures nothing itself."""

from dataclasses import dataclass, field

from bench.processes import Use


@dataclass
class Tally:
    """What all players of a run saw. Latencies in seconds, sizes in bytes."""

    latencies: list[float] = field(default_factory=list)
    event_sizes: list[int] = field(default_factory=list)
    snapshot_sizes: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    is_counting: bool = False

    @property
    def is_right(self) -> bool:
        """Whether every answer was the expected one and no connection was lost."""
        return not self.wrong and not self.closed


def percentile(ordered: list[float], share: float) -> float:
    """Return the value below which `share` of the ordered values lie."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def report(tally: Tally, seconds: float, before: dict[int, Use], after: dict[int, Use]) -> None:
    """Print the figures of a run, one a line."""
    ordered = sorted(tally.latencies)
    marks = [percentile(ordered, share) * 1000 for share in (0.5, 0.99, 0.999)]
    print(f"moves/s            {len(ordered) / seconds:10.0f}")
    print(f"answered p50/p99/p99.9 ms   {marks[0]:.2f} / {marks[1]:.2f} / {marks[2]:.2f}")
    for name, sizes in (("event", tally.event_sizes), ("snapshot", tally.snapshot_sizes)):
        if sizes:
            print(f"{name} bytes median/max   {sorted(sizes)[len(sizes) // 2]} / {max(sizes)}")
    moves = max(1, len(ordered))
    for pid, use in after.items():
        if pid in before:
            used = use.cpu - before[pid].cpu
            print(
                f"{used / seconds:6.0%} of a core, {used / moves * 1e6:6.1f} µs a move, "
                f"{use.memory / 1024:7.1f} MiB   {use.name}"
            )
    print(f"wrong answers {len(tally.wrong)}, connections lost {len(tally.closed)}")
    for line in tally.wrong[:3] + [f"close code {code}" for code in tally.closed[:3]]:
        print("  " + line)
