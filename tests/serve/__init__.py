"""Tests of `commoncall_serve`."""
