"""Tests of `commoncall.scanning`."""
