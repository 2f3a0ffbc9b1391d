"""Tests of the repository as a whole: names, links between its pages, packages, lock files, workflows."""
