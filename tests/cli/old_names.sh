# Names of earlier versions: containers that have them, and what a person or a script still types.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: no h5py"; exit 0; }
values() { kane export "$1" -o new.npz --force && /usr/bin/python3 "$TESTS/old_names.py" "$1" new.npz; }
for name in tracked scene; do gunzip -c "$TOP/tests/unit/container/${name}_0.1.h5.gz" > "$name.h5"; done

echo '# containers of 0.1: whole by their own checksums, the same values under new names'
show 'kane check tracked.h5 scene.h5'
show 'values tracked.h5'
show 'values scene.h5'
show 'kane info tracked.h5 | grep ^tracking'

echo '# a column of an earlier index'
show 'kane index clips.db tracked.h5 && kane query clips.db --columns path,root_residual_force_rms_bw'
show 'kane query clips.db --columns path,hand_force_rms_bw'
show 'kane query clips.db --sql "SELECT effort_j_kg FROM clip"'
