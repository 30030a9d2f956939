# OpenSim motions: the model beside the motion, stated, or missing; every command that reads motion.
. "$TESTS/show.sh"

D=$KANE_SHARED/doors/opensim
[ -e "$D/gait10dof_walk" ] || { echo "skipped: $D is not here"; exit; }
mkdir -p trials/IK && cp "$D"/gait10dof_walk/*_IK.mot trials/IK/walk.mot && cp "$D"/gait10dof_walk/*.osim trials/subject.osim
cp "$D"/gait10dof_walk/*_ID.sto trials/moments.sto && cp "$D"/gait10dof_walk/*_grf.mot trials/forces.mot
chmod -R u+w trials && cp "$TOP/data/walk.bvh" .

show 'kane info trials/IK/walk.mot 2>/dev/null | grep -E "^(source|detected|motion|skeleton|body)|hip |knee "'
show 'kane check trials/IK/walk.mot'
show 'kane run trials/IK/walk.mot -o walk.h5 2>&1 | sed "s/, [0-9.]* % trusted.*//"'
show 'kane export walk.h5 -o moments.sto -q && grep ^time moments.sto | cut -f 1-7'
show 'kane retarget walk.h5 --to walk.bvh -o on_walk.h5 -q && kane info on_walk.h5 | grep ^skeleton'
show 'kane batch trials -o out 2>&1 | sed "s/ in [0-9.]* s, .*//" | tail -1'
show 'kane batch trials -o out 2>&1 | tail -1'
show 'kane query out/index.db --columns path,frames'

echo '# which model'
cp trials/IK/walk.mot lone.mot
show 'kane import lone.mot -q'
show 'kane import lone.mot -q --model trials/subject.osim -o lone.h5 && kane info lone.h5 | grep -o "history.*--model [^ ]*"'
show 'kane import lone.mot -q --model trials/subject.osim --unit cm -o lone.h5'

echo '# errors'
show 'kane import trials/subject.osim'
show 'kane import trials/forces.mot'
sed "s|<gravity>0 -9.80664[0-9]* 0<|<gravity>0 0 -9.80665<|; s|<gravity>0 -9.80665 0<|<gravity>0 0 -9.80665<|" trials/subject.osim >z_up.osim
kane run lone.mot --import-model z_up.osim -o z_up.h5 -q 2>/dev/null
show 'kane export z_up.h5 --for opensim -o z_up'
sed "s/PinJoint/ScrewJoint/" trials/subject.osim >screw.osim
show 'kane import lone.mot --model screw.osim'
sed "s/0.03333333/0.04333333/" lone.mot >uneven.mot
show 'kane import uneven.mot --model trials/subject.osim'
