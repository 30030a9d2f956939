# Every motion format through every command that reads motion, and a library of all of them in one index.
. "$TESTS/show.sh"

D=$KANE_SHARED/doors
[ -e "$D/scene/mixamo__Sit_To_Stand.fbx" ] || { echo "skipped: $D is not here"; exit; }
/usr/bin/python3 -c 'import numpy, h5py' 2>/dev/null || { echo "skipped: Python has no numpy, h5py"; exit; }
mkdir library dae && /usr/bin/python3 "$TOP/tests/support/scene_dae.py" write dae
cp "$TOP/data/jump.bvh" library/bvh.bvh
cp "$D/scene/mixamo__Sit_To_Stand.fbx" library/fbx.fbx
cp "$D/opensim/gait10dof_walk/subject01_walk_IK.mot" library/mot.mot
cp "$D/opensim/gait10dof_walk/subject01.osim" library/
cp "$D/asfamc/02.asf" library/ && cp "$D/asfamc/02_01.amc" library/
cp dae/plain.dae library/dae.dae
kane import library/bvh.bvh -o jump.h5 -q && kane export jump.h5 -o library/glb.glb -q && kane export jump.h5 -o library/vrma.vrma -q
chmod -R u+w library

echo '<!doctype html><script type="text/plain">@KANE-DATA@</script>' >page.html

# tried NAME COMMAND...: prints the name, and what a command says that fails. Findings of check are no failure.
tried() {
    name=$1
    shift
    "$KANE" "$@" >said.txt 2>&1
    code=$?
    [ $code -eq 0 ] || [ $code$name = 1check ] && printf ' %s' "$name" && return
    printf ' %s=%d\n' "$name" $code
    tail -n 1 said.txt
}
for file in library/*.bvh library/*.fbx library/*.mot library/*.amc library/*.dae library/*.glb library/*.vrma; do
    printf '%s:' "$(basename "$file")"
    tried info info "$file"
    tried check check "$file"
    tried run run "$file" -o clip.h5 --force -q
    tried report report clip.h5 --page page.html -o clip.html --force -q
    tried thumbnails thumbnails "$file" -o clip.png --force -q
    tried retarget retarget "$file" --to library/bvh.bvh -o moved.h5 --force -q
    tried target retarget library/bvh.bvh --to "$file" -o target.h5 --force -q
    echo
done
show 'kane batch library -o out 2>&1 | sed "s/ in [0-9.]* s,.*//" | tail -n 1'
show 'kane query out/index.db --columns path,frames'
show 'kane batch library -o out 2>&1 | tail -n 1'
