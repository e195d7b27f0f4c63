"""Tests of the browser client."""
