python3 "$TESTS/help_pages.py" "$KANE"
