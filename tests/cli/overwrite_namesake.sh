# A clip file is only replaced by a clip of its own source: also if edited since, but not by another file of the same
# name.
. "$TESTS/show.sh"
python3 -c 'import os; os.setxattr(".", "user.kane.test", b"1")' 2>messages || {
    echo 'skipped: this file system keeps no extended attributes'
    exit 0
}
mkdir a b
cp "$TOP/data/walk.bvh" a/take.bvh
cp "$TOP/data/jump.bvh" b/take.bvh
kane run a/take.bvh -o take.h5 2>messages

echo '## another file of the same name'
sha256sum take.h5 >before
show 'kane run b/take.bvh -o take.h5'
show 'kane run - < b/take.bvh -o take.h5'
show 'kane import b/take.bvh | kane body -o take.h5'
show 'sha256sum --quiet -c before'

echo '## the same file, edited, under any path to it'
sed -i '$s/^[-0-9.]*/12/' a/take.bvh
ln -s a linked
show 'kane run linked/take.bvh -o take.h5'
show 'kane kinematics take.h5 -o later.h5'
sed -i '$s/^[-0-9.]*/13/' a/take.bvh
show 'kane run ./a/take.bvh -o take.h5'
show 'kane kinematics take.h5 -o later.h5'
show 'kane export take.h5 -o moved.bvh'
sed -i '$s/^[-0-9.]*/14/' a/take.bvh
show 'kane run a/take.bvh -o take.h5 && kane export take.h5 -o moved.bvh'

echo '## the same bytes from another place'
cp a/take.bvh copy.bvh
show 'kane run copy.bvh -o take.h5'

echo '## in a batch: without its stamps, and where the first source has gone'
kane batch a -o out 2>messages
rm out/index.db.batch
show 'kane batch b -o out'
sed -i '$s/^[-0-9.]*/15/' a/take.bvh
show 'kane batch a -o out 2>&1 | sed "s/;.*//"'
mv a gone
show 'kane batch b -o out'
show 'kane batch b -o out --force 2>&1 | sed "s/;.*//"'
sed -i '$s/^[-0-9.]*/16/' b/take.bvh
show 'kane batch b -o out 2>&1 | sed "s/;.*//"'
