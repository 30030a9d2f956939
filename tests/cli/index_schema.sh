# The tables of a new index as stored: shows each added, removed or changed column, and the fingerprint that identifies
# the schema.
. "$TESTS/show.sh"
mkdir out
kane run --contact-method none "$TESTS/squat.bvh" -o out/squat.h5 2>/dev/null
kane index index.db out
show 'od -An -j60 -N4 -tu1 index.db' # PRAGMA user_version
show 'kane query index.db --sql "SELECT * FROM meta" --format tsv'
kane query index.db --format tsv --sql "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'clip_text_%' AND sql NOT NULL
    ORDER BY rowid" | sed '1d; s/\\n/\n/g'
