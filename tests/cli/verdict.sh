. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" .
echo '# a motion file, alone and with others; the first word is the verdict'
show 'kane verdict jump.bvh | cut -d " " -f 1'
show 'kane verdict walk.bvh jump.bvh | cut -d " " -f 1-3'
echo '# sped up three times: the flight is none of gravity'
show 'kane verdict jump.bvh --import-fps 300 | sed "s/[0-9.]* ± [0-9.]*/FACTOR/"'
show 'kane verdict --json jump.bvh --import-fps 300 | jq -c "[.verdict, .path, .role, .factor - .band > 1]"'
echo '# a clip file, and its row of an index'
kane run -q jump.bvh -o jump.h5
kane run -q jump.bvh --import-fps 300 -o fast.h5 2>/dev/null
show 'kane verdict jump.h5 | cut -d " " -f 1; kane verdict fast.h5 | cut -d " " -f 1'
kane index index.db jump.h5 fast.h5 2>/dev/null
show 'kane query index.db @impossible --columns path,joint,frame --format tsv'
echo '# kane info has the metrics of the index: frames that no body could do are among them'
show "kane query index.db 'residual_force_rms_bw > 1' --columns residual_force_rms_bw --format tsv"
show 'kane info --json fast.h5 | jq .residual_force_rms_bw'
echo '# a clip file of import alone runs through all stages; no clip'
kane import -q jump.bvh -o motion.h5
show 'kane verdict motion.h5 | cut -d " " -f 1'
show 'kane verdict missing.bvh'
