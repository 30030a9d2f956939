. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
kane import squat.bvh -o squat.h5 2>/dev/null
show 'kane thumbnails squat.h5 -o one.png'
echo '# width and height'
show 'od -A n -t u1 -j 16 -N 8 one.png'
show 'kane thumbnails --frames 4 --columns 4 --size 100 squat.bvh squat.h5 -o two.png'
show 'od -A n -t u1 -j 16 -N 8 two.png'
show 'kane thumbnails squat.h5 squat.h5 squat.h5 -o three.png'
show 'kane thumbnails squat.h5'
echo '# the motion that was simulated'
kane track --scene moving --controller kane --duration 1 -o moving.h5 >track.tsv
show 'kane thumbnails moving.h5 -o run.png'
show 'kane thumbnails moving.h5 --controller=clip -o reference.png; cmp -s run.png reference.png || echo differ'
show 'kane thumbnails moving.h5 --controller=pd -o none.png'
show 'kane thumbnails nothing.h5 -o no.png'
show 'ls *.png'
