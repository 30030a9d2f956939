/* See opensim_set.h. Names of elements: OpenSim 4, InverseDynamicsTool, Tool, ExternalLoads, ExternalForce. */
#include "formats/export/opensim_set.h"

#include <errno.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/export/export_internal.h"

static const char *const names[] = {
    [OPENSIM_COORDINATES] = "coordinates.mot", [OPENSIM_FORCES] = "grf.mot",
    [OPENSIM_LOADS] = "external_loads.xml",    [OPENSIM_MOMENTS] = "moments.sto",
    [OPENSIM_SETUP] = "id_setup.xml",
};
_Static_assert(sizeof names / sizeof *names == OPENSIM_FILE_COUNT, "a file has no name");

/* Bodies of the Rajagopal model; the feet are carriers of their own. */
static const struct {
    Role segment;
    const char *body;
} bodies[] = {
    {ROLE_HIPS, "pelvis"},            {ROLE_SPINE, "torso"},           {ROLE_CHEST, "torso"},
    {ROLE_NECK, "torso"},             {ROLE_HEAD, "torso"},            {ROLE_LEFT_CLAVICLE, "torso"},
    {ROLE_RIGHT_CLAVICLE, "torso"},   {ROLE_LEFT_SHOULDER, "humerus_l"}, {ROLE_RIGHT_SHOULDER, "humerus_r"},
    {ROLE_LEFT_ELBOW, "radius_l"},    {ROLE_RIGHT_ELBOW, "radius_r"},  {ROLE_LEFT_WRIST, "hand_l"},
    {ROLE_RIGHT_WRIST, "hand_r"},     {ROLE_LEFT_HIP, "femur_l"},      {ROLE_RIGHT_HIP, "femur_r"},
    {ROLE_LEFT_KNEE, "tibia_l"},      {ROLE_RIGHT_KNEE, "tibia_r"},    {ROLE_LEFT_ANKLE, "calcn_l"},
    {ROLE_RIGHT_ANKLE, "calcn_r"},    {ROLE_LEFT_TOE, "calcn_l"},      {ROLE_RIGHT_TOE, "calcn_r"},
};

const char *opensim_set_name(OpensimFile file) { return names[file]; }

/* Whether the clip's joints are bodies of an OpenSim model. */
static int has_model(const Clip *clip)
{
    return clip->has_body && !strncmp(clip->body.model, "opensim ", strlen("opensim ")) &&
           export_has_dofs(clip, clip->dof.position);
}

/* Body that the joint moves; NULL: the Rajagopal model has none. */
static const char *body_of(const Clip *clip, int joint)
{
    if (has_model(clip))
        return clip->skeleton.name[joint];
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (bodies[i].segment == clip->skeleton.segment[joint])
            return bodies[i].body;
    return NULL;
}

/* ---- XML ---- */

static void put_text(FILE *stream, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: putc(*text, stream);
        }
}

static void put_element(FILE *stream, int depth, const char *name, const char *text)
{
    fprintf(stream, "%*s<%s>", 2 * depth, "", name);
    put_text(stream, text);
    fprintf(stream, "</%s>\n", name);
}

static void open_object(FILE *stream, int depth, const char *kind, const char *name)
{
    fprintf(stream, "%*s<%s name=\"", 2 * depth, "", kind);
    put_text(stream, name);
    fputs("\">\n", stream);
}

static void open_document(FILE *stream, const char *kind, const char *name)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenSimDocument Version=\"40000\">\n", stream);
    open_object(stream, 1, kind, name);
}

static Status close_document(FILE *stream, const char *kind, Error *err)
{
    fprintf(stream, "  </%s>\n</OpenSimDocument>\n", kind);
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* ---- Files ---- */

static void put_force(const ForceCarrier *carrier, const char *body, FILE *stream)
{
    char name[FORCE_LABEL_SIZE + 40];
    open_object(stream, 3, "ExternalForce", carrier->label);
    put_element(stream, 4, "applied_to_body", body);
    put_element(stream, 4, "force_expressed_in_body", "ground");
    put_element(stream, 4, "point_expressed_in_body", "ground");
    snprintf(name, sizeof name, "ground_force_%s_v", carrier->label);
    put_element(stream, 4, "force_identifier", name);
    snprintf(name, sizeof name, "ground_force_%s_p", carrier->label);
    put_element(stream, 4, "point_identifier", name);
    snprintf(name, sizeof name, "ground_torque_%s_", carrier->label);
    put_element(stream, 4, "torque_identifier", name);
    fputs("      </ExternalForce>\n", stream);
}

static Status write_loads(const Clip *clip, FILE *stream, Error *err)
{
    ForceCarrier *carrier;
    int count;
    Arena arena = {0};
    Status status = export_force_carriers(clip, &arena, &carrier, &count, err);
    if (!status) {
        open_document(stream, "ExternalLoads", clip->provenance.title);
        fputs("    <objects>\n", stream);
    }
    for (int i = 0; i < count && !status; i++) {
        const char *body = body_of(clip, carrier[i].joint);
        if (body)
            put_force(&carrier[i], body, stream);
        else
            status = error_set(err, STATUS_BAD_INPUT, "joint \"%.60s\" has a force, and the Rajagopal model has no "
                               "body for it", clip->skeleton.name[carrier[i].joint]);
    }
    arena_free(&arena);
    if (status)
        return status;
    fputs("    </objects>\n    <groups/>\n", stream);
    put_element(stream, 2, "datafile", names[OPENSIM_FORCES]);
    return close_document(stream, "ExternalLoads", err);
}

/* Coordinates are those of the filtered motion, so that OpenSim filters nothing. */
static Status write_setup(const Clip *clip, const char *model, FILE *stream, Error *err)
{
    char range[2 * NUMBER_TEXT_SIZE + 2], *at = range;
    at += number_print(clip->motion.time[0], at);
    *at++ = ' ';
    number_print(clip->motion.time[clip->motion.frame_count - 1], at);
    open_document(stream, "InverseDynamicsTool", clip->provenance.title);
    put_element(stream, 2, "results_directory", ".");
    put_element(stream, 2, "model_file", model);
    put_element(stream, 2, "time_range", range);
    put_element(stream, 2, "forces_to_exclude", "Muscles");
    put_element(stream, 2, "external_loads_file", names[OPENSIM_LOADS]);
    put_element(stream, 2, "coordinates_file", names[OPENSIM_COORDINATES]);
    put_element(stream, 2, "lowpass_cutoff_frequency_for_coordinates", "-1");
    put_element(stream, 2, "output_gen_force_file", "opensim_moments.sto");
    return close_document(stream, "InverseDynamicsTool", err);
}

/* A scene's or robot's coordinates are those of no OpenSim model. */
static Status check_clip(const Clip *clip, Error *err)
{
    if (!clip->has_dynamics)
        return error_set(err, STATUS_BAD_INPUT, "the clip has no torques: run kane torque first");
    if (clip->has_dof && !has_model(clip))
        return error_set(err, STATUS_BAD_INPUT, "has degrees of freedom of a model that is not OpenSim's");
    if (has_model(clip) && strstr(clip->body.model, OPENSIM_OTHER_UP))
        return error_set(err, STATUS_BAD_INPUT, "gravity of its model is not along -Y, and the ground forces of a clip "
                         "are +Y up: turn the model's gravity and the joint to its ground to +Y up, and run it again");
    return STATUS_OK;
}

Status opensim_set_write(const Clip *clip, OpensimFile file, const char *model, FILE *stream, Error *err)
{
    int is_own = has_model(clip);
    Status status = check_clip(clip, err);
    if (status)
        return status;
    switch (file) {
    case OPENSIM_COORDINATES:
        return is_own ? export_model_coordinates(clip, stream, err) : export_named_coordinates(clip, stream, err);
    case OPENSIM_FORCES:
        return export_table_forces(clip, ROW_STORAGE, AIRBORNE_ZERO, stream, err);
    case OPENSIM_LOADS:
        return write_loads(clip, stream, err);
    case OPENSIM_MOMENTS:
        return is_own ? export_model_efforts(clip, stream, err) : export_named_moments(clip, stream, err);
    default:
        return write_setup(clip, model, stream, err);
    }
}
