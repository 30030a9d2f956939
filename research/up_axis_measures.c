/* Prints, per motion file and axis, what import weighs of the up axis, for research/fit_up_axis.py:
 * file, axis, cosine of feet to head, the same in the rest pose, level, zero, stays, unexplained force, judged frames.
 *
 *     up_axis_measures FILE.bvh... */
#include <stdio.h>

#include "analysis/body/roles.h"
#include "analysis/detect/first_frame.h"
#include "analysis/detect/frame_rate.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/pose_sample.h"
#include "analysis/detect/up_axis.h"
#include "analysis/evidence/gravity.h"
#include "formats/bvh/bvh.h"
#include "formats/source/source.h"

static Status measure(const char *path, const SourceDef *limits)
{
    ImportGuessDef def = import_guess_default_def();
    PositionDecision positions;
    RoleSigns signs;
    Source source;
    Take take;
    PoseSample sample;
    BodyTrack track;
    GravityBalance balance;
    UpAxisMeasures measures[UP_AXES];
    double sure;
    Status status = source_open(path, limits, &source, NULL);
    if (status || (status = source_take(&source, limits, &take, NULL)) ||
        (status = roles_assign(&take.skeleton, &signs, NULL)) ||
        (status = import_guess_settle_positions(&def, &take.skeleton, &take.motion, &positions, NULL)))
        return status;
    int first = first_frame_is_fake(&take.skeleton, &take.motion, &sure);
    take.motion.frame_time = 1 / frame_rate_from_time(take.motion.frame_time, &sure);
    if ((status = pose_sample_init(&sample, &take.skeleton, &take.motion, first, 64, NULL)) ||
        (status = body_track_init(&track, &take.skeleton, &take.motion, first, NULL)) ||
        (status = gravity_measure(&track, &balance, NULL)) ||
        (status = up_axis_measure(&take.skeleton, &sample, measures, NULL)))
        return status;
    for (int a = 0; a < UP_AXES; a++)
        printf("%s\t%s\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%d\t%g\n", path, up_axis_name((UpAxis)(UP_X + a)),
               measures[a].posed, measures[a].rest, measures[a].level, measures[a].zero, measures[a].stays,
               balance.along[a].unexplained, balance.along[a].frames, track.leg);
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    SourceDef limits = source_default_def();
    for (int i = 1; i < argc; i++)
        if (measure(argv[i], &limits))
            fprintf(stderr, "%s: not measured\n", argv[i]);
    return 0;
}
