"""Version of the package; tests/checks/check_version.py compares it with the program's."""
__version__ = "0.2.0"
