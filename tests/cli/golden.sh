# The bytes of the sample clips' containers: the same on any x86-64, from gcc and clang, at -O0 and -O3.
. "$TESTS/show.sh"
for clip in jump squat walk; do
    show "kane run $TOP/data/$clip.bvh 2>/dev/null | sha256sum" | sed "s|$TOP/||"
done
show "kane run $TOP/data/pendulum.bvh --body-segments $TOP/data/pendulum_segments.tsv 2>/dev/null | sha256sum" |
    sed "s|$TOP/||g"
