# An index names the settings of its clips, warns of different ones, and compares clip files with their rows; merge checks
# the rows that it copies.
. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
kane run squat.bvh -o eight.h5 -q 2>messages
kane run squat.bvh --smooth-cutoff 4 --body-mass 80 -o four.h5 -q 2>messages
kane run squat.bvh --body-mass 60 -o light.h5 -q 2>messages

echo '## the settings are columns'
show 'kane index i.db eight.h5'
show 'kane query i.db "smooth_cutoff_hz > 6" --columns path,body_model,smooth_method,smooth_cutoff_hz,kinematics_scheme,contact_method'
show 'kane query i.db --sql "SELECT settings FROM clip"'
show 'test "kane $(kane query i.db --format tsv --columns kane_version | tail -n 1)" = "$("$KANE" --version | head -n 1)"'

echo '## another subject is no other setting, another cutoff is'
show 'kane index --strict i.db light.h5'
show 'kane index --strict i.db four.h5'
show 'kane query i.db --columns path'
show 'kane index --strict new.db four.h5 eight.h5; ls new.db*'
show 'kane index i.db four.h5'

echo '## clip files that changed since'
show 'kane query i.db --columns path --limit 1 --order path'
kane run squat.bvh --body-mass 61 -o light.h5 -q 2>messages
show 'kane query i.db --columns path --limit 1 --order path'
rm four.h5
show 'kane index i.db light.h5 && kane query i.db --columns path --limit 1 --order path'
mkdir in && cp squat.bvh in
kane batch in -o out 2>messages
show 'kane query out/index.db --columns path'
kane kinematics --force out/squat.bvh.h5 -o out/squat.bvh.h5 -q
show 'kane query out/index.db --columns path'
show 'kane query out/index.db --columns path -q'
kane batch in -o out 2>messages
show 'kane query out/index.db --columns path'

echo '## a batch into a library with other settings'
mkdir more && cp squat.bvh more/deep.bvh
show 'kane batch more -o out --smooth-cutoff 4 2>&1 | sed "s/;.*frames.*//"'
show 'kane batch more -o out --smooth-cutoff 4 --strict >messages 2>&1; echo $?; grep differ messages'

echo '## merge'
kane index a.db eight.h5 2>messages
cp a.db damaged.db
/usr/bin/python3 -c 'import sqlite3; c = sqlite3.connect("damaged.db"); c.execute("UPDATE clip_summary SET mass_kg = 90"); c.commit()'
show 'kane merge m.db damaged.db; ls m.db*'
show 'kane merge m.db a.db i.db'
