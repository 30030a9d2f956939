# --clips: options and tags per clip, from a table.
. "$TESTS/show.sh"
batch() { "$KANE" batch --store full "$@" 2>&1 | sed 's/;.*//'; }
mkdir -p takes/a takes/b
for name in a/one a/two b/three; do cp "$TESTS/squat.bvh" takes/$name.bvh; done
table() { printf '%b\n' "$@" >clips.tsv; }

echo '# options are those of these clips alone: the same as if each were run so'
table 'glob\tbody-mass\tbody-sex\timport-keep-first-frame\ttag:actor\ttag:show' 'a/*\t80\tfemale\t\tAnna\tOne' \
    'two.bvh\t70\t\tyes\tBen\t' 'b/three.bvh\t\t\tno\t\tTwo'
show 'batch takes -o out --clips clips.tsv'
show 'kane query out/index.db 1 --columns path,mass_kg,actor,show --format tsv'
mkdir run
kane run --body-mass 70 --body-sex female --import-keep-first-frame takes/a/two.bvh -o run/two.h5 2>messages
kane run takes/b/three.bvh -o run/three.h5 2>messages
show 'cmp run/two.h5 out/a/two.bvh.h5 && cmp run/three.h5 out/b/three.bvh.h5'

echo '# retargeting of some'
cp takes/a/one.bvh character.bvh
table 'glob\tretarget-to' 'one.bvh\tcharacter.bvh'
show 'batch takes -o moved --clips clips.tsv'
show 'kane query moved/index.db --sql "SELECT path, history LIKE '"'%retarget %'"' AS retargeted FROM clip ORDER BY path" --format tsv'

echo '# a tag is a column of a question'
show "kane query out/index.db \"actor = 'Anna'\""
show 'kane query out/index.db "actor IS NULL" --order show --format tsv'
show 'kane query out/index.db @similar a/one.bvh.h5 "show = '"'Two'"'" --columns path --format tsv'
show "kane query out/index.db \"actr = 'Anna'\""

echo '# other tags need no work; other options make anew what they concern'
table 'glob\tbody-mass\tbody-sex\timport-keep-first-frame\ttag:actor\ttag:show' 'a/*\t80\tfemale\t\tAnna\tOne' \
    'two.bvh\t70\t\tyes\tCarl\t' 'b/three.bvh\t\t\tno\t\tTwo'
show 'batch takes -o out --clips clips.tsv'
sed -i 's/70/71/' clips.tsv
show 'batch takes -o out --clips clips.tsv --dry-run'
show 'batch takes -o out --clips clips.tsv'
show "kane query out/index.db \"actor = 'Carl'\" --columns path,mass_kg --format tsv"

echo '# tags stay where containers are read again, and in a merge'
show 'kane index out/index.db out && kane query out/index.db "actor = '"'Carl'"'" --format tsv'
show 'kane index --rebuild out/index.db out && kane query out/index.db "actor = '"'Carl'"'" --format tsv'
for k in 1 2; do "$KANE" batch takes -o parts --clips clips.tsv --shard $k/2 2>messages; done
show 'kane merge parts/index.db parts/index.1-of-2.db parts/index.2-of-2.db'
show 'kane query parts/index.db "actor IS NOT NULL" --format tsv'
rm takes/a/two.bvh
show 'batch takes -o out --clips clips.tsv'
show 'kane query out/index.db --sql "SELECT name, value, count(*) AS clips FROM tag GROUP BY 1, 2" --format tsv'

echo '# what is wrong has a place'
for column in body-mas body_mass actor 'tag:a-b' tag:mass_kg ''; do
    table "glob\t$column" '*\t3'
    show 'kane batch takes -o none --clips clips.tsv'
done
table 'glob\ttag:actor\ttag:Actor' '*\tAnna\tBen'
show 'kane batch takes -o none --clips clips.tsv'
table 'glob\tbody-mass' '*\t60' '*\theavy'
show 'kane batch takes -o none --clips clips.tsv'
table 'glob\timport-keep-first-frame' '*\t1'
show 'kane batch takes -o none --clips clips.tsv'
table 'file\tbody-mass' '*\t60'
show 'kane batch takes -o none --clips clips.tsv'
table 'glob\ttag:actor' 'one.bhv\tAnna'
show 'batch takes -o out --clips clips.tsv'
show 'kane batch takes -o none --clips missing.tsv'
show 'ls none'
