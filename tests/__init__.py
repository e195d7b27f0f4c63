"""The tests: folders and modules mirror what they test."""
