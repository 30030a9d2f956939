# The bytes of the sample clips' files: identical on any x86-64 and arm64, with gcc and clang, at -O0 and -O3.
. "$TESTS/show.sh"
cp "$TOP"/data/*.bvh "$TOP"/data/*.tsv .
for clip in jump squat walk; do
    show "kane run --contact-method none $clip.bvh 2>/dev/null | sha256sum"
done
show 'kane run --body-segments pendulum_segments.tsv --contact-method none pendulum.bvh 2>/dev/null | sha256sum'
for clip in jump squat walk; do
    show "kane run $clip.bvh 2>/dev/null | sha256sum"
done
