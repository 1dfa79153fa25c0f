"""Tests of `commoncall_tools.scanning`."""
