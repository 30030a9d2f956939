# A BVH written by kane is only replaced by one of the same source, even if another take has the same joints and length.
. "$TESTS/show.sh"
python3 -c 'import os; os.setxattr(".", "user.kane.test", b"1")' 2>messages || {
    echo 'skipped: this file system keeps no extended attributes'
    exit 0
}
cp "$TOP/data/walk.bvh" .
kane run walk.bvh -o walk.h5 2>messages
sed '$s/^[-0-9.]*/12/' walk.bvh >second.bvh
kane run second.bvh -o second.h5 2>messages
kane export walk.h5 -o moved.bvh
kane run --smooth-cutoff 5 walk.bvh -o smooth.h5 2>messages
show 'kane export second.h5 -o moved.bvh'
show 'kane export smooth.h5 -o moved.bvh && ! cmp -s moved.bvh walk.bvh'
cp moved.bvh copy.bvh
show 'kane export walk.h5 -o copy.bvh'
show 'kane export smooth.h5 -o copy.bvh'
sed -i 's/End Site/End  Site/' moved.bvh
show 'kane export smooth.h5 -o moved.bvh'
