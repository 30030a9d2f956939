#!/bin/sh
# Files with several takes, through each command that reads motion: in a build with a reader for "WALKS n".
. "$TESTS/show.sh"
KANE=$KANE-walks
[ -x "$KANE" ] || { echo "skipped: $KANE is not built"; exit 0; }

printf 'WALKS 2' > walk.walks
printf 'WALKS 1' > one.wlk
mkdir in && cp walk.walks one.wlk in/ && cp "$TOP/data/jump.bvh" in/

echo '# a container of each take, named behind the file'
show 'kane import walk.walks -o made/'
show 'kane import walk.walks -o walk.h5'
show "kane import 'walk.walks#2' -o second.h5"
show "kane import 'walk.walks#3' -o third.h5"
show 'kane import one.wlk -o made/'
ls made
cmp second.h5 'made/walk#2.h5' && echo same
kane info 'made/walk#2.h5' | grep -E '^(title|source )'

echo '# a pipe goes by content, and has one take'
show 'kane import - -o - < one.wlk | kane info | grep ^source'
show 'cat walk.walks | kane import - -o piped.h5'

echo '# commands that need nothing but motion'
show 'kane trim --to 0.5 walk.walks -o trimmed/'
ls trimmed
show 'cat one.wlk | kane mirror -o mirrored.h5'
show 'kane trim --to 0.5 < "$TOP/data/walk.bvh" | kane info | grep ^source'
show "kane retarget --to one.wlk 'made/walk#1.h5' --score motion -o retargeted.h5"
show "kane retarget --to walk.walks 'made/walk#1.h5' -o retargeted.h5"
show "kane thumbnails 'walk.walks#2' -o picture.png"
show 'kane body walk.walks -o body.h5'

echo '# check: kinds of the format, kinds of any, no repair'
show 'kane check walk.walks --ignore sliding'
show 'kane check walk.walks --ignore sliding,walk-test,walk-lame'
show 'kane check one.wlk --repair -o repaired/'

echo '# batch: a clip of each take; a second one has nothing to do, and nothing is taken for gone'
show "kane batch in -o out 2>&1 | sed 's/ in [0-9.]* s,.*//'"
(cd out && ls *.h5)
show 'kane batch in -o out'
show 'kane batch in -o out --prune --dry-run'
printf 'WALKS 3' > in/walk.walks
show 'kane batch in -o out --dry-run'
kane batch in -o out 2>/dev/null
echo '# a take that has left its file; one that is alone now; a file that cannot be read has lost nothing'
printf 'WALKS 2' > in/walk.walks
show 'kane batch in -o out --prune --dry-run'
kane batch in -o out --prune 2>&1 | grep "without source"
(cd out && ls *.h5)
printf 'WALKS x' > in/walk.walks
show 'kane batch in -o out --prune --dry-run'
printf 'WALKS 1' > in/walk.walks
kane batch in -o out --prune 2>&1 | grep "without source"
(cd out && ls *.h5)
printf 'WALKS 2' > in/walk.walks
kane batch in -o out --prune 2>&1 | grep "without source"
(cd out && ls *.h5)
rm in/walk.walks
show 'kane batch in -o out --prune'
(cd out && ls *.h5)

echo '# the file with the frame rate beside the motion: a change of it is a change of the source'
mkdir pair && printf 'WALKS 1' > pair/a.walks
show "kane batch pair -o paired 2>&1 | sed 's/ in [0-9.]* s,.*//'"
show 'kane info paired/a.walks.h5 | grep ^detected'
printf 60 > pair/a.pace
show 'kane batch pair -o paired --dry-run'
show "kane batch pair -o paired 2>&1 | sed 's/ in [0-9.]* s,.*//'"
show 'kane info paired/a.walks.h5 | grep ^detected'
show 'kane batch pair -o paired'
show 'kane check --again paired/a.walks.h5 pair/a.walks'
show 'kane import - -o - < pair/a.walks 2>/dev/null | kane info | grep ^detected'

echo '# names of the formats come from the table'
show 'kane run --help | head -n 1'
