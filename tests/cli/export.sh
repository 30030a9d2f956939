. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
kane run squat.bvh -o squat.h5 2>/dev/null
kane import squat.bvh -o bare.h5 2>/dev/null
show 'kane export --format bvh squat.h5 -o back.bvh && kane import back.bvh 2>/dev/null | kane info | grep -e ^motion -e ^skeleton'
show 'kane export squat.h5 | head -n 2'
show 'kane export squat.h5 | wc -l'
# the floating base has a residual but no torque, force or power; each joint has its own trust
show 'kane export squat.h5 | awk -F "\t" "{ print \$3, (\$14 == \"\"), (\$20 == \"\"), (\$21 == \"\"), \$29 }" | sed -n "2,5p;81,82p"'
show 'kane export --wide --format csv squat.h5 | head -n 1 | tr , "\n" | grep -e Hips_ -e LeftFoot_t -e ^trusted'
show 'kane export --format jsonl squat.h5 | head -n 1 | jq -c "[.joint, .torque_world_x_nm, .power_w, (.residual_torque_world_x_nm | type)]"'
show 'kane export --format csv bare.h5 | head -n 2'
show 'kane export --format jsonl bare.h5 | head -n 1'
show 'kane export --wide bare.h5 | head -n 3 | cut -f 1-4,34'
show 'kane export --moments squat.h5 | head -n 2'
show 'kane export --grf squat.h5 | head -n 2'
show 'kane export --format npz squat.h5 | head -c 2; echo'
show 'kane export --format glb squat.h5 | head -c 4; echo'
show 'kane export --format glb squat.h5 -o squat.glb && kane export --format glb squat.h5 | cmp - squat.glb'
kane angles squat.h5 -o strong.h5 2>/dev/null
show 'kane export --color strength strong.h5 -o strong.glb && grep -ao "strength to [0-9.]*" strong.glb | sort -u'
show 'kane export --color strength --format csv strong.h5'
show 'kane angles --strength none squat.h5 2>/dev/null | kane export --color strength --format glb - -o weak.glb'
show 'kane export --format sto squat.h5 | head -n 5'
# the format follows from the output name
show 'for e in csv jsonl npz bvh mot sto GLB txt; do kane export squat.h5 -o named.$e && head -c 4 named.$e | od -A n -c; done'
show 'kane export --format csv squat.h5 -o named.tsv && head -n 1 named.tsv | cut -d , -f 1-3'
# joints other than feet, and default axes
printf 'time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n0\tSpine\t0\t9\t0\t0\t0\t0\t0\t0\t0\n9\tSpine\t0\t9\t0\t0\t0\t0\t0\t0\t0\n' > seat.tsv
kane run squat.bvh --contact-external seat.tsv -o seat.h5 2>/dev/null
show 'kane export --grf --format csv seat.h5 | head -n 2 | cut -d , -f 1-5'
show 'kane export seat.h5 -o seat.mot && sed -n 7p seat.mot'
# anatomical coordinates by kane's names, and by OpenSim's
kane angles --strength none squat.h5 -o named.h5 2>/dev/null
show 'kane export --coordinates --format csv named.h5 | head -n 1 | tr , "\n" | grep -e time -e knee_flexion -e trusted'
show 'kane export --angles --names opensim named.h5 -o angles.mot && head -n 7 angles.mot'
show 'kane export --names opensim named.h5 -o moments.sto && sed -n 7p moments.sto'
show 'kane export --names opensim named.h5 -o no.tsv'
# no flight, so that zero and nan are equivalent
show 'kane export --airborne-cop zero squat.h5 -o zero.mot && cmp named.mot zero.mot'
show 'kane export --airborne-cop zero --moments squat.h5 -o no.tsv'
show 'kane export --angles --frame local named.h5 -o no.tsv'
show 'kane export --angles bare.h5 -o no.tsv'
show 'kane export --frame local squat.h5 -o no.mot'
show 'kane export --frame local --grf squat.h5 -o no.tsv'
show 'kane export --moments bare.h5 -o no.tsv'
show 'kane export --all-frames squat.h5 -o no.tsv'
show 'kane export --moments --grf squat.h5 -o no.tsv'
show 'kane export --wide --format glb squat.h5 -o no.tsv'
show 'kane export --format fbx squat.h5 -o no.tsv'
show 'cat squat.h5 squat.h5 | kane export -o no.tsv'
show 'kane export squat.h5 -o squat.h5'
show 'ls no.tsv no.mot'

echo '# a camera on springs: its table, in glb, what contradicts'
show 'kane export squat.h5 --camera follow | cut -f 1-4,9-11 | sed -n "1,3p"'
show 'kane export squat.h5 --camera fixed --camera-damping-ratio 0.3 --camera-distance 6 | cut -f 2,3,5-8,9 | sed -n "2,4p"'
show 'kane export squat.h5 --camera follow -o camera.glb && tr -d "\0" < camera.glb | grep -ao "\"cameras.*0.01"'
show 'kane export squat.h5 --camera follow --grf'
show 'kane export squat.h5 --camera follow -o walk_camera.bvh'
show 'kane export squat.h5 --camera-yaw 10'
show 'kane export squat.h5 --camera follow --camera-pitch 85'
