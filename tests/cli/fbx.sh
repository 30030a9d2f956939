# FBX, read by the helper program with libassimp: a text file written here, damaged ones, and files of other programs.
. "$TESTS/show.sh"

/usr/bin/python3 "$TOP/tests/support/scene_fbx.py" >bend.fbx
show 'kane import bend.fbx -o bend.h5'
show 'kane info bend.h5 | grep -E "^(detected|motion|skeleton)|hips|spine"'
show 'kane export bend.h5 --format csv -o bend.csv -q && head -n 1 bend.csv | cut -c 1-60'
show 'kane import bend.fbx --take Bend -o again.h5 -q && cmp bend.h5 again.h5'
show 'kane import bend.fbx --take other -o other.h5 -q'

echo '# refused'
sed 's/FBXVersion: 7400/FBXVersion: 6100/' bend.fbx >old.fbx
sed '/AnimationCurve:/,/^    }/d' bend.fbx >still.fbx
sed '/C: "OP",11,3/d' bend.fbx >elsewhere.fbx
head -c 300 /dev/zero >zero.fbx
/usr/bin/python3 -c 'import random, sys; random.seed(1); sys.stdout.buffer.write(random.randbytes(20000))' >random.fbx
for file in old.fbx still.fbx elsewhere.fbx zero.fbx random.fbx; do show "kane import $file -o never.h5"; done

echo '# changed bytes: an error or a clip, never a crash'
/usr/bin/python3 - bend.fbx <<'PYTHON'
import random, sys
data = open(sys.argv[1], "rb").read()
random.seed(4)
for i in range(60):
    changed = bytearray(data)
    for _ in range(1 + i % 5):
        at = random.randrange(len(changed))
        changed[at:at + random.choice((0, 1, 1, 40))] = random.choice((b"", b"9", b"-", b"e300", b"\x00"))
    open("changed%02d.fbx" % i, "wb").write(changed)
PYTHON
for file in changed*.fbx; do
    kane import "$file" -o changed.h5 --force -q 2>/dev/null
    code=$?
    [ $code -le 1 ] || echo "$file: exit code $code"
done

D=$KANE_SHARED/doors/scene
[ -e "$D/mixamo__Soccer_Pass.fbx" ] || { echo "skipped: $D is not here"; exit; }
echo '# files of other programs'
for name in maya_human_ik_6100_binary maya_human_ik_7400_ascii maya_character_7500_binary; do
    cp "$D/$name.fbx" . && show "kane import $name.fbx -o never.h5"
done
mkdir library && cp "$D/mixamo__Soccer_Pass.fbx" "$D/test.vrma" "$TOP/data/walk.bvh" library
show 'kane batch library -o out 2>&1 | sed "s/ in [0-9.]* s,.*//"'
show 'ls out'
show 'kane run library/mixamo__Soccer_Pass.fbx -o pass.h5 -q 2>/dev/null && kane info pass.h5 | grep ^skeleton'
show 'kane check library/mixamo__Soccer_Pass.fbx'
show 'kane retarget library/mixamo__Soccer_Pass.fbx --to "$TOP/data/walk.bvh" -o on_walk.h5 -q 2>/dev/null && kane info on_walk.h5 | grep ^skeleton'
show 'kane retarget "$TOP/data/walk.bvh" --to maya_character_7500_binary.fbx -o on_maya.h5 -q 2>/dev/null && kane info on_maya.h5 | grep ^skeleton'
show 'kane thumbnails library/mixamo__Soccer_Pass.fbx -o picture.png -q 2>/dev/null && test -s picture.png'
