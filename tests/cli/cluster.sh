. "$TESTS/show.sh"
# A batch in chunks: the commands of --list, run one by one, give the result of one batch.
mkdir -p "takes/two words"
for i in 1 2 3 4 5 6; do sed "s/OFFSET 0 -41 0/OFFSET 0 -4$i 0/" "$TESTS/squat.bvh" > "takes/two words/it's $i.bvh"; done
dump() { python3 "$TESTS/../faults/index_dump.py" "$1"; }

show 'kane batch --list --chunks 3 takes -o "out put" --body-mass 62 | sed "s|$KANE|kane|"'
kane batch --list --chunks 3 takes -o "out put" --body-mass 62 -j 1 > list
sh list 2> /dev/null
kane batch takes -o one --body-mass 62 -j 1 2> /dev/null
dump one/index.db > one.dump
dump "out put/index.db" > parts.dump
show 'cmp one.dump parts.dump && grep -c ^clip_summary one.dump'
show 'for f in 1 2 3 4 5 6; do cmp "one/two words/it'\''s $f.bvh.h5" "out put/two words/it'\''s $f.bvh.h5"; done'

echo '# little work is one chunk without a merge'
show 'kane batch --list takes -o out | sed "s|$KANE|kane|"'
show 'kane batch --list --shard 1/2 takes -o out'

echo '# a command is a line: no paths with a line break'
broken=$(printf 'two\nlines')
cp -r takes "$broken"
show 'kane batch --list "$broken" -o out'
show 'kane batch --list takes -o "$broken"'

echo '# a task of a scheduler: clips that fail do not fail it, anything else does'
sed 's/ 92 / nan /' "$TESTS/squat.bvh" > takes/broken.bvh
kane batch --list --chunks 1 takes -o out > list
show '"$TOP/scripts/cluster/task.sh" list 1 2>&1 | sed "s/;.*//"'
echo "'$KANE' batch nowhere -o out" > list
show '"$TOP/scripts/cluster/task.sh" list 1'
