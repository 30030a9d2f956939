# Indexes with different options are not merged without --force; @options counts the sets of options.
. "$TESTS/show.sh"
mkdir in
for i in 1 2 3 4; do cp "$TESTS/squat.bvh" in/$i.bvh; done
cp "$TOP/data/pendulum.bvh" in
for k in 1 2; do "$KANE" batch in -o same --shard $k/2 2>messages; done
show "kane merge same/index.db same/index.1-of-2.db same/index.2-of-2.db"
show "kane query same/index.db @options --columns clips,path"
"$KANE" batch in -o other --shard 1/2 --body-mass 60 2>messages
"$KANE" batch in -o other --shard 2/2 --body-mass 90 --smooth-cutoff 6 2>messages
show "kane merge other/index.db other/index.1-of-2.db other/index.2-of-2.db"
ls other/index.db 2>&1 | sed 's/.*: //'
show "kane merge other/index.db other/index.1-of-2.db other/index.2-of-2.db --force"
show "kane query other/index.db @options"
# another index against the existing one
"$KANE" merge one.db other/index.1-of-2.db
show "kane merge one.db same/index.2-of-2.db"
# shards recomputed with other options replace their earlier rows
"$KANE" batch in -o same --shard 1/2 --body-mass 80 2>messages
"$KANE" batch in -o same --shard 2/2 --body-mass 80 2>messages
show "kane merge same/index.db same/index.1-of-2.db same/index.2-of-2.db"
show "kane query same/index.db @options --columns clips,path"
# a table sets the mass of each clip
printf 'glob\tbody-mass\n1*\t61\n2*\t62\n3*\t63\n4*\t64\n' >clips.tsv
for k in 1 2; do "$KANE" batch in -o table --shard $k/2 --clips clips.tsv 2>messages; done
show "kane merge table/index.db table/index.1-of-2.db table/index.2-of-2.db"
show "kane query table/index.db @options --columns clips,path"
# flags: with and without
"$KANE" batch in -o flag --shard 1/2 2>messages
"$KANE" batch in -o flag --shard 2/2 --contact-reduce-residual 2>messages
show "kane merge flag/index.db flag/index.1-of-2.db flag/index.2-of-2.db"
