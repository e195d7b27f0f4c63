"""Benchmarks, load bots and fault drills; run by name, never timed inside tests."""
