"""The rules of Yukon Solitaire and nothing else: no clock, no randomness of its own, no I/O."""
