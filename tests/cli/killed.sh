# A killed batch leaves no partial output, and the next one completes its work.
. "$TESTS/show.sh"
mkdir in
for i in $(seq 100 299); do
    cp "$TESTS/squat.bvh" "in/$i.bvh"
done
"$KANE" batch in -o whole -j 2 2>/dev/null
"$KANE" batch in -o out -j 2 2>/dev/null &
batch=$!
while [ "$(find out -name '[0-9]*' 2>/dev/null | wc -l)" -lt 5 ] && kill -0 $batch 2>/dev/null; do
    sleep 0.01
done
workers=$(cat "/proc/$batch/task/$batch/children")
kill -9 $batch 2>/dev/null
wait $batch 2>/dev/null
for worker in $workers; do # they end by themselves
    while kill -0 "$worker" 2>/dev/null; do sleep 0.01; done
done
find out -name '*.bvh.h5' | while read -r file; do
    "$KANE" check "$file" || echo "$file is half-written"
done
show '"$KANE" batch in -o out -j 2 2>/dev/null'
show 'ls -A out | grep -v bvh.h5'
show 'ls out | grep -c bvh.h5'
for folder in out whole; do
    python3 "$TESTS/../faults/index_dump.py" $folder/index.db > $folder.dump
done
show "cmp out.dump whole.dump"

echo '# a worker that ends takes one clip with it, and no more'
"$KANE" batch in -o hurt -j 2 2>/dev/null &
batch=$!
# The first children make the decisions for the skeleton; those that write are workers.
while [ "$(find hurt -name '[0-9]*' 2>/dev/null | wc -l)" -lt 1 ] && kill -0 $batch 2>/dev/null; do
    sleep 0.001
done
kill -9 "$(cut -d ' ' -f 1 "/proc/$batch/task/$batch/children")"
wait $batch
echo "(exit code $?)"
show 'kane query hurt/index.db --sql "SELECT stage, message FROM failure" --format tsv'
show 'ls hurt | grep -c bvh.h5'
show '"$KANE" batch in -o hurt -j 2 2>/dev/null'
show 'ls hurt | grep -c bvh.h5'
