# kane export --for opensim: the folder of a clip and of an OpenSim model, what is refused, and a signal in between.
. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
kane run squat.bvh -o squat.h5 2>/dev/null
kane import squat.bvh -o bare.h5 2>/dev/null

show 'kane export squat.h5 --for opensim -o set && ls set'
show 'cat set/external_loads.xml set/id_setup.xml'
show 'for f in coordinates.mot grf.mot moments.sto; do sed -n "2,7p" set/$f | cut -f 1-8; done'
show 'grep -ci nan set/*.mot set/*.sto'
show 'kane export squat.h5 --for opensim -o set -q'
touch subject.osim
show 'kane export squat.h5 --for opensim --model subject.osim -o other -q && grep -c "<model_file>/.*/subject.osim<" other/id_setup.xml'

echo '# what is refused; nothing is left'
show 'kane export bare.h5 --for opensim -o no'
show 'kane export squat.h5 --for opensim'
show 'kane export squat.h5 --for opensim --grf -o no'
show 'kane export squat.h5 --for opensim --format csv -o no'
show 'kane export squat.h5 --for opensim --names opensim -o no'
show 'kane export squat.h5 --model subject.osim -o no.csv'
show 'kane export squat.h5 --for opensim --model none.osim -o no'
show 'cat squat.h5 squat.h5 | kane export --for opensim -o no'
show 'kane export squat.h5 --for opensim -o subject.osim'
mkdir mine && echo '<OpenSimDocument/>' >mine/external_loads.xml
show 'kane export squat.h5 --for opensim -o mine; ls mine'
show 'kane export squat.h5 --for opensim -o mine --force -q && ls mine'
show 'ls -d no*'

echo '# a signal while the second clip is awaited'
mkfifo gate
env --default-signal=TERM "$KANE" export --for opensim -o killed <gate 2>messages &
job=$!
exec 3>gate
cat squat.h5 >&3
sleep 0.5
kill -TERM "$job"
wait "$job" 2>/dev/null
echo "exit code $?"
exec 3>&-
cat messages
ls -d killed* 2>/dev/null
