# batch --retarget-to A.bvh,B.bvh,DIR/: every clip for every target, in one run and one index.
. "$TESTS/show.sh"
batch() { "$KANE" batch "$@" 2>&1 | sed 's/ in [0-9.]* s.*//'; }
dump() { python3 "$TESTS/../faults/index_dump.py" "$1"; }
# The first frame of a file, its bones longer by a factor.
character() {
    awk -v k="$2" '/OFFSET/ { print $1, k * $2, k * $3, k * $4; next } /^Frames/ { $0 = "Frames: 1" } { print }
        /^Frame Time/ { getline; print; exit }' "$1"
}
mkdir -p takes/a cast/more
cp "$TESTS/squat.bvh" takes/a/one.bvh
sed 's/OFFSET 0 -41 0/OFFSET 0 -43 0/' "$TESTS/squat.bvh" > takes/two.bvh
character "$TESTS/squat.bvh" 1 > hero.bvh
character "$TESTS/squat.bvh" 1.2 > tall.bvh
character "$TOP/data/walk.bvh" 0.7 > cast/kid.bvh
kane import -q "$TOP/data/jump.bvh" -o cast/more/old.h5 2>messages
cp cast/kid.bvh cast/._kid.bvh
echo 'no target' > cast/notes.txt
cast=hero.bvh,tall.bvh,cast/

echo '# two files and a folder with a motion file and a clip file: a folder of clips each'
show 'batch takes -o out --retarget-to $cast | grep -v "^kane batch: \(  \|warning\)"'
show 'kane query out/index.db --columns path,source,retarget_to --order path --format tsv'
show 'kane query out/index.db "retarget_to = '"'kid.bvh'"'" --columns path,retarget_scale --order path --format tsv'
kane batch takes -o one --retarget-to cast/kid.bvh -q 2>messages
show 'cmp one/a/one.bvh.h5 out/kid/a/one.bvh.h5 && cmp one/two.bvh.h5 out/kid/two.bvh.h5'
show 'kane query one/index.db --columns path,retarget_to --order path --format tsv'

echo '# what is unchanged is skipped; another target concerns its clips'
show 'batch takes -o out --retarget-to $cast'
character "$TESTS/squat.bvh" 1.1 > tall.bvh
show 'batch takes -o out --retarget-to $cast --dry-run'
show 'batch takes -o out --retarget-to tall.bvh,cast,hero.bvh,cast/kid.bvh | grep -v "^kane batch: \(  \|warning\)"'
show 'kane query out/index.db --columns path,retarget_to --order path --format tsv | wc -l'

echo '# options of one target, tags of one clip'
printf 'glob\tretarget-plant\ttag:show\nkid/*\tnone\t\na/one.bvh\t\tOne\n' > clips.tsv
show 'batch takes -o out --retarget-to $cast --clips clips.tsv --dry-run'
batch takes -o out --retarget-to $cast --clips clips.tsv >messages
show 'kane query out/index.db --columns path,show --order path --format tsv'
show 'kane query out/index.db --sql "SELECT path FROM clip WHERE history LIKE '"'%--plant none%'"' ORDER BY path" --format tsv'

echo '# chunks: all targets of a clip are in one; together they are one batch'
kane batch takes -o all --retarget-to $cast -q 2>messages
kane batch takes -o parts --retarget-to $cast --list --chunks 2 > list
show 'sed "s|$KANE|kane|" list'
sh list 2>messages
dump all/index.db > all.dump
dump parts/index.db > parts.dump
show 'cmp all.dump parts.dump && grep -c ^clip_summary all.dump'
show 'for k in 1 2; do kane query parts/index.$k-of-2.db --columns path --order path --format tsv; done'

echo '# a clip that fails, and one whose source is gone'
sed 's/ 92 / nan /' "$TESTS/squat.bvh" > takes/broken.bvh
show 'batch takes -o out --retarget-to $cast | sed -n "/failed/,/^[^ ]* [^ ]* *[0-9]/p"'
batch takes -o out --retarget-to $cast --summary done.json >messages
show '/usr/bin/python3 -c "import json; print(*(f[\"clip\"] for f in json.load(open(\"done.json\"))[\"failures\"]))" | tr " " "\n" | sort'
rm takes/broken.bvh takes/two.bvh
show 'batch takes -o out --retarget-to $cast --prune | grep -v warning'
show 'find out -name "*.h5" | sort'

echo '# targets that cannot be are found before the work'
head -n 20 hero.bvh > cut.bvh
mkdir empty twins && cp tall.bvh twins/hero.bvh
kane simulate -q "$TOP/data/scenes/six_axis_arm.xml" --duration 0.1 -o hinges.h5 2>messages
for to in hero.bvh,cut.bvh cut.bvh hero.bvh,nowhere.bvh hero.bvh, empty hero.bvh,twins hero.bvh,hinges.h5; do
    show "kane batch takes -o none --retarget-to $to"
done
printf 'glob\tretarget-to\n*\ttall.bvh\n' > clips.tsv
show 'kane batch takes -o none --retarget-to $cast --clips clips.tsv'
show 'kane batch takes -o none --retarget-to hero.bvh,cut.bvh --dry-run'
show 'kane batch takes -o none --retarget-to hero.bvh,cut.bvh --list'
show 'ls none'
