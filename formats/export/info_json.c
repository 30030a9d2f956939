#include "formats/export/info.h"

#include <math.h>
#include <string.h>

#include "analysis/body/anthropometry.h"
#include "formats/base/text.h"
#include "formats/container/container_schema.h"
#include "formats/export/info_parts.h"

static void put_key(FILE *stream, const char *key)
{
    fprintf(stream, "%s\n  \"%s\": ", strcmp(key, "title") == 0 ? "{" : ",", key);
}

static void put_number(FILE *stream, const char *key, double value)
{
    put_key(stream, key);
    json_put_number(stream, value);
}

/* An empty text is something the clip does not have. */
static void put_text(FILE *stream, const char *key, const char *text)
{
    put_key(stream, key);
    if (text && *text)
        json_put_text(stream, text);
    else
        fputs("null", stream);
}

static void put_joint_names(FILE *stream, const Skeleton *skeleton)
{
    put_key(stream, "joint_names");
    for (int j = 0; j < skeleton->joint_count; j++) {
        fputs(j ? ", " : "[", stream);
        json_put_text(stream, skeleton->name[j]);
    }
    putc(']', stream);
}

static void put_roles(FILE *stream, const Skeleton *skeleton)
{
    int count = 0;
    put_key(stream, "roles");
    putc('{', stream);
    for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        int joint = skeleton_find_role(skeleton, (Role)role);
        if (joint < 0)
            continue;
        fprintf(stream, "%s\"%s\": ", count++ ? ", " : "", role_name((Role)role));
        json_put_text(stream, skeleton->name[joint]);
    }
    putc('}', stream);
}

static void put_groups(FILE *stream, const Clip *clip)
{
    put_key(stream, "groups");
    for (int i = GROUP_SKELETON; i < GROUP_COUNT; i++)
        if (schema_has_group(clip, (SchemaGroupId)i))
            fprintf(stream, "%s\"%s\"", i == GROUP_SKELETON ? "[" : ", ", schema_groups[i].name);
    putc(']', stream);
}

static void put_history_line(FILE *stream, const char *line, int index)
{
    fputs(index ? ",\n    " : "\n    ", stream);
    json_put_text(stream, line);
}

/* What import was unsure of, and how sure it was of each; null where that is not known. */
static void put_decisions(FILE *stream, const Decisions *d)
{
    char unsure[DECISIONS_TEXT_SIZE];
    int known = !isnan(decisions_least(d));
    decisions_unsure(d, unsure);
    put_text(stream, "unsure", known ? unsure : NULL);
    put_number(stream, "unit_confidence", known ? d->unit : NAN);
    put_number(stream, "up_axis_confidence", known ? d->up_axis : NAN);
    put_number(stream, "frame_rate_confidence", known ? d->frame_rate : NAN);
    put_number(stream, "root_offset_confidence", known ? d->root_offset : NAN);
    put_number(stream, "positions_confidence", known ? d->positions : NAN);
    put_number(stream, "first_frame_confidence", known ? d->first_frame : NAN);
}

/* Body measures in m and m/s, for a person to judge the unit by. */
static void put_size(FILE *stream, const Clip *clip, const BodyMeasures *m)
{
    double stature = clip_stature(clip);
    put_number(stream, "size_stature", stature > 0 ? stature : NAN);
    put_number(stream, "size_foot", m->foot > 0 ? m->foot : NAN);
    put_number(stream, "size_extent", m->extent);
    put_number(stream, "size_speed", m->speed);
}

static void put_source(FILE *stream, const Clip *clip)
{
    const Provenance *p = &clip->provenance;
    put_text(stream, "title", p->title);
    put_text(stream, "source", p->source);
    put_text(stream, "source_sha256", p->source_sha256);
    put_number(stream, "fps", info_rate(p->frame_time));
    put_number(stream, "frame_time", p->frame_time);
    put_number(stream, "metres_per_unit", p->metres_per_unit);
    put_text(stream, "up_axis", p->up_axis);
    put_decisions(stream, &p->confidence);
}

static void put_figures(FILE *stream, const Clip *clip, const ClipFigures *figures)
{
    put_text(stream, "body_model", clip->has_body ? clip->body.model : NULL);
    put_number(stream, "total_mass", clip->has_body ? clip->body.total_mass : NAN);
    put_number(stream, "stature", clip->has_body && clip->body.stature > 0 ? clip->body.stature : NAN);
    put_number(stream, "contact_points", clip->has_contact ? clip->contact.point_count : NAN);
    put_number(stream, "contact_confidence", figures->contact_confidence);
    put_number(stream, "flight_s", figures->flight_s);
    put_number(stream, "presumed_support_s", figures->presumed_support_s);
    put_number(stream, "off_plates_s", figures->off_plates_s);
    put_number(stream, "ground_height", info_has_points(clip) ? clip->contact.ground_height : NAN);
    put_number(stream, "ground_tilt_degrees", info_has_points(clip) ? info_ground_tilt(&clip->contact) : NAN);
    put_number(stream, "linear_reduction", info_has_points(clip) ? clip->contact.linear_reduction : NAN);
    put_number(stream, "angular_reduction", info_has_points(clip) ? clip->contact.angular_reduction : NAN);
    put_number(stream, "valid_frames", clip->has_kinematics ? figures->valid_frames : NAN);
    put_number(stream, "trusted_share", figures->trusted_share);
    put_text(stream, "untrusted_reason", figures->untrusted_reason);
    put_number(stream, "residual_force_rms_bw", figures->residual_force_rms_bw);
    put_number(stream, "residual_torque_rms_nm_kg", figures->residual_torque_rms_nm_kg);
}

static void put_anatomy(FILE *stream, const Anatomy *a)
{
    put_key(stream, "coordinates");
    for (int i = 0; i < a->coordinate_count; i++) {
        fputs(i ? ", " : "[", stream);
        json_put_text(stream, coordinate_name(a->coordinate[i]));
    }
    fputs(a->coordinate_count ? "]" : "[]", stream);
    put_text(stream, "neutral_pose", a->neutral);
    put_text(stream, "knee_axis", a->knee_axis);
}

/* The figures of a retargeted motion, by the names they have in the index. */
static void put_retarget(FILE *stream, const ClipFigures *figures)
{
    FigureList list = clip_figures();
    for (int i = 0; i < list.count; i++)
        if (!strncmp(list.figure[i].name, "retarget_", 9))
            put_number(stream, list.figure[i].name, *(const double *)((const char *)figures + list.figure[i].offset));
}

Status info_json(const Clip *clip, FrameChoice choice, FILE *stream, Error *err)
{
    ClipStats stats;
    BodyMeasures size;
    Status status = info_measure(clip, choice, &stats, &size, err);
    if (status)
        return status;
    put_source(stream, clip);
    put_size(stream, clip, &size);
    put_number(stream, "sample_rate", info_rate(clip->motion.frame_time));
    put_number(stream, "frames", clip->motion.frame_count);
    put_number(stream, "duration", clip->motion.frame_count * clip->motion.frame_time);
    put_number(stream, "start", clip->motion.time[0]);
    put_number(stream, "joints", clip->skeleton.joint_count);
    put_joint_names(stream, &clip->skeleton);
    put_number(stream, "end_sites", clip->skeleton.end_count);
    put_roles(stream, &clip->skeleton);
    put_groups(stream, clip);
    put_figures(stream, clip, &stats.figures);
    if (clip->has_anatomy)
        put_anatomy(stream, &clip->anatomy);
    if (clip->has_retarget)
        put_retarget(stream, &stats.figures);
    put_key(stream, "history");
    putc('[', stream);
    info_visit_history(clip, stream, put_history_line);
    fputs("\n  ]\n}\n", stream);
    clip_stats_free(&stats);
    return info_finish(stream, err);
}
