#include "analysis/retarget/mirrored_job.h"

#include <stdlib.h>

#include "analysis/base/memory.h"
#include "analysis/retarget/scored_pair.h"

static Status mirror_contact(MirroredJob *m, const Contact *contact, Error *err)
{
    Status status = contact_init(&m->contact, contact->frame_count, contact->point_count, 0, err);
    for (int f = 0; f < contact->frame_count && !status; f++)
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            m->contact.foot_force[foot_index(f, foot)] =
                mirror_place(&m->mirror, contact->foot_force[foot_index(f, FOOT_COUNT - 1 - foot)]);
    m->contact.ground_height = contact->ground_height;
    m->contact.ground_normal = mirror_place(&m->mirror, contact->ground_normal);
    return status;
}

static Status mirror_rows(MirroredJob *m, const ContactRows *rows, Error *err)
{
    int failed = 0;
    m->rows.row = array_need(&failed, (size_t)rows->count, 1, sizeof *m->rows.row);
    if (failed)
        return error_no_memory(err);
    m->rows.count = rows->count;
    for (int i = 0; i < rows->count; i++) {
        m->rows.row[i] = rows->row[i];
        m->rows.row[i].foot = FOOT_COUNT - 1 - rows->row[i].foot;
    }
    return STATUS_OK;
}

Status mirrored_job_init(MirroredJob *out, const RetargetJob *job, const ContactRows *rows, Error *err)
{
    const ClipView *source = &job->source;
    *out = (MirroredJob){.job = *job};
    Status status = mirror_init(&out->mirror, source->skeleton, err);
    if (!status)
        status = skeleton_copy(&out->skeleton, source->skeleton, err);
    if (!status)
        status = mirror_skeleton(&out->mirror, &out->skeleton, err);
    if (!status)
        status = mirror_motion(&out->mirror, source->skeleton, source->motion, &out->motion, err);
    if (!status && source->kinematics)
        status = mirror_kinematics(&out->mirror, source->kinematics, &out->kinematics, err);
    if (!status && job->contact)
        status = mirror_contact(out, job->contact, err);
    if (!status && rows)
        status = mirror_rows(out, rows, err);
    out->job.source = (ClipView){.skeleton = &out->skeleton, .motion = &out->motion,
                                 .kinematics = source->kinematics ? &out->kinematics : NULL};
    out->job.contact = job->contact ? &out->contact : NULL;
    if (status)
        mirrored_job_free(out);
    return status;
}

void mirrored_job_free(MirroredJob *m)
{
    mirror_free(&m->mirror);
    skeleton_free(&m->skeleton);
    motion_free(&m->motion);
    kinematics_free(&m->kinematics);
    contact_free(&m->contact);
    contact_rows_free(&m->rows);
}

void mirrored_job_score(const MirroredJob *m, const Skeleton *target, const Vec3 *result, const Vec3 *mirrored,
                        RetargetScore *score)
{
    ScoreMean apart = {0};
    size_t joints = (size_t)target->joint_count;
    for (int j = 0; j < target->joint_count; j++) {
        int other = target->role[j] == ROLE_NONE ? -1 : skeleton_find_role(target, role_mirror(target->role[j]));
        for (int f = 0; f < m->motion.frame_count && other >= 0; f++) {
            Vec3 place = mirror_place(&m->mirror, mirrored[(size_t)f * joints + (size_t)other]);
            score_add(&apart, vec3_distance(place, result[(size_t)f * joints + (size_t)j]), f);
        }
    }
    score->mirror_cm = apart.count > 0 ? 100 * apart.most : NAN;
    score->mirror_frame = score_worst(&apart);
}
