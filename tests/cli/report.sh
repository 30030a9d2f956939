. "$TESTS/show.sh"
# Uses its own page, so that the transcript does not depend on whether one was built.
echo '<!doctype html><script type="text/plain">@KANE-DATA@</script>' > page.html
cp "$TESTS/squat.bvh" .
mkdir takes
cp squat.bvh takes
kane batch --contact-method none takes -o out 2>/dev/null
cp out/squat.bvh.h5 a.h5
page() { sed 's/[A-Za-z0-9+\/=]\{100,\}/DATA/' "$1"; }
show 'kane report --page page.html a.h5 -o one.html && page one.html'
show 'kane report --page page.html a.h5 a.h5 | page -'
show 'kane report --page page.html < a.h5 -o piped.html && cmp one.html piped.html'
show 'cat a.h5 a.h5 | kane report --page page.html -o two.html && page two.html'
show 'kane report --page page.html out/index.db --pages -o pages && find pages -type f | sort'
echo '# a page with a program of its own: the pages of a library share it'
echo '<meta content="script-src '"'sha256-x'"'; a"><script type="text/plain">@KANE-DATA@</script><script>go()</script>' > whole.html
show 'kane report --page whole.html out/index.db --pages -o shared && (cd shared && find . -type f | sort && cat ./*.js && echo)'
show 'page shared/clips/*.html; page shared/index.html'
show 'kane report --page page.html out/index.db | page -'
show 'kane report --page page.html out/index.db --pages'
show 'kane report --page page.html a.h5 --pages -o no.html'
show 'kane report --page page.html a.h5 a.h5 a.h5 -o no.html'
show 'cat a.h5 a.h5 a.h5 | kane report --page page.html -o no.html'
show 'kane report --page page.html a.h5 --controller kane -o no.html'
show 'kane report --page page.html a.h5 --controller fast -o no.html'
show 'kane report --page page.html a.h5 a.h5 --controller pd -o no.html'
show 'kane report --page page.html squat.bvh -o no.html'
show 'kane report --page page.html nothing.h5 -o no.html'
show 'kane report --page squat.bvh a.h5 -o no.html'
show 'kane report --page page.html a.h5 -o nowhere/no.html'
show 'ls no.html'
rm out/squat.bvh.h5
show 'kane report --page page.html out/index.db --pages -o gone && find gone -type f'
show 'kane run squat.bvh 2>/dev/null | kane track 2>/dev/null | kane report --page page.html --controller stable-pd,kane | page -'

echo '# the page of a clip in a library: 120 kB and 900 bytes a frame at most, also of a dog of 61 joints and 14 frames of 75'
mkdir sizes
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" sizes
for clip in dog__dog_walk makehuman__mh_walk1 animdraw__dab; do
    [ ! -e "${KANE_SHARED:-$TOP/../shared}/mocap/$clip.bvh" ] || cp "${KANE_SHARED:-$TOP/../shared}/mocap/$clip.bvh" sizes
done
kane batch sizes -o sized 2>/dev/null
[ ! -e "$TOP/build/report.html" ] || cp "$TOP/build/report.html" whole.html
kane report --page whole.html sized/index.db --pages -o sized/pages
oversized() { # BYTES: plus 900 per frame
    kane query sized/index.db --columns path,frames --format tsv | tail -n +2 | while read -r path frames; do
        size=$(cat sized/pages/clips/"$path"-*.html | wc -c)
        [ "$size" -le $(($1 + 900 * frames)) ] || echo "$path: $frames frames, $size bytes"
    done
}
show 'oversized 120000; oversized -200000 | grep -c "^walk\|^jump"'
