/* Agreement of force plates with the motion, for research/plates_table.py.
 *
 * usage: plate_measures SOUND|- CLIP.h5 PLATES.tsv...
 *     SOUND: the numbers of data/plates.tsv, a line for each row in the order of PlateErrorKind, replacing kane's;
 *     CLIP.h5: a clip file with kinematics; PLATES.tsv: tables of measured forces
 *
 * Prints one line per table, tab-separated: name and value of each measure and of each error, and the deviation of the
 * worst measure of a kind in standard deviations (`off plates-late`); then `apart` and the difference of plates and
 * estimate in each frame used, body weights. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/plate_check.h"
#include "analysis/contact/plate_errors.h"
#include "analysis/contact/plate_measures.h"
#include "analysis/contact/plate_signals.h"
#include "analysis/math/elementary.h"
#include "formats/container/container.h"
#include "formats/tables/external_table.h"

static void put_pair(const char *name, const double *value)
{
    printf("\t%s_left\t%.6g\t%s_right\t%.6g", name, value[FOOT_LEFT], name, value[FOOT_RIGHT]);
}

/* Sums of the horizontal forces, along and sideways. */
static void put_products(const PlateMeasures *m)
{
    static const char *const axis[2] = {"along", "side"}, *const side[FOOT_COUNT] = {"left", "right"};
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        const PlateProducts *p = &m->product[foot];
        printf("\tloaded_%s\t%.6g", side[foot], p->loaded);
        for (int i = 0; i < 2; i++)
            printf("\tpp_%s_%s\t%.9g\tdd_%s_%s\t%.9g", axis[i], side[foot], p->pp[i], axis[i], side[foot],
                   fmax(0, p->pp[i] + p->ee[i] - 2 * p->pe[i]));
    }
}

static void put_measures(const PlateMeasures *m)
{
    printf("frame_time\t%.6g\twalk\t%.6g\trun\t%.6g\tstand\t%.6g\tjump\t%.6g\t", m->frame_time,
           m->motion[PLATE_WALK], m->motion[PLATE_RUN], m->motion[PLATE_STAND], m->motion[PLATE_JUMP]);
    printf("time\t%.6g\tloaded_time\t%.6g\timpulse\t%.6g\tlag\t%.6g\tlag_error\t%.6g\tturn\t%.6g", m->time,
           m->loaded_time, m->impulse, m->lag, m->lag_error, plates_rotation(m));
    const double load[FOOT_COUNT] = {m->load[FOOT_LEFT][PLATE_UP], m->load[FOOT_RIGHT][PLATE_UP]};
    put_pair("load", load);
    put_pair("load_match", m->load_match);
    printf("\tupright\t%.6g", plates_upright(m));
    put_pair("foot_impulse", m->foot_impulse);
    put_pair("along_sign", m->sign[0]);
    put_pair("side_sign", m->sign[1]);
    printf("\talong_sign_both\t%.6g\tside_sign_both\t%.6g", m->sign[0][FOOT_COUNT], m->sign[1][FOOT_COUNT]);
    put_pair("foot_lag", m->foot_lag);
    put_pair("foot_lag_error", m->foot_lag_error);
    put_pair("along", m->along);
    put_pair("outward", m->outward);
    put_pair("off_sole", m->off_sole);
    put_pair("offset", m->offset);
    printf("\tcrossed_force\t%.6g\tcrossed_misfit\t%.6g\tcrossed_pressure\t%.6g", m->crossed_force, m->crossed_misfit,
           m->crossed_pressure);
    put_products(m);
}

static void put_faults(const PlateMeasures *m, const PlateSound *sound)
{
    PlateErrors found;
    plate_errors_find(m, sound, &found);
    for (int i = 0; i < found.count; i++)
        printf("\t%s\t%.6g", plate_error_name(found.error[i].kind), found.error[i].certainty);
}

/* Value of a kind of error without a limit and without other kinds. */
static void put_spreads(const PlateMeasures *m, const PlateSound *sound)
{
    for (int kind = 0; kind < PLATE_ERROR_KINDS; kind++) {
        PlateSound alone[PLATE_SOUND_ROWS];
        PlateErrors found;
        double min = 1;
        memcpy(alone, sound, sizeof alone);
        for (int i = 0; i < PLATE_ERROR_KINDS; i++)
            alone[i].limit = i == kind ? 0 : INFINITY;
        plate_errors_find(m, alone, &found);
        for (int i = 0; i < found.count; i++)
            min = found.error[i].kind == (PlateErrorKind)kind ? fmin(min, 1 - found.error[i].certainty) : min;
        printf("\toff %s\t%.6g", plate_error_name((PlateErrorKind)kind), found.count ? 1 / sqrt(min) : 0);
    }
}

static void put(const PlateCase *c, const PlateSound *sound, const PlateSignals *s, const PlateMeasures *m)
{
    put_measures(m);
    put_faults(m, sound);
    put_spreads(m, sound);
    printf("\theading\t%.6g\tapart\t", elementary_atan2(-s->forward.z, s->forward.x));
    for (int f = 0, first = 1; f < s->frame_count; f++)
        if (s->is_used[f]) {
            printf(first ? "%.3f" : ",%.3f", plate_distance(c, s, f));
            first = 0;
        }
    printf("\n");
}

static Status answer(Clip *c, const Contact *estimate, const PlateSound *sound, const char *path, Error *err)
{
    ExternalRows rows;
    Loads table = {0};
    Contact plates = {0};
    Arena arena = {0};
    PlateSignals signals;
    PlateMeasures measures;
    MeasuredDef def = measured_default_def();
    ClipView view = clip_view(c);
    Status status = external_read(path, &c->skeleton, &rows, err);
    if (status == STATUS_OK)
        status = loads_from_external(&rows, &c->motion, &table, err);
    if (status == STATUS_OK)
        status = contact_from_external(&rows, &view, &def, &plates, err);
    PlateCase of = {&view, &plates, &table, estimate, LANES_AUTO, 1};
    if (status == STATUS_OK)
        status = plate_signals_find(&of, &signals, &arena, err);
    if (status == STATUS_OK)
        status = plate_measures_find(&of, &signals, &measures, err);
    if (status == STATUS_OK)
        put(&of, sound, &signals, &measures);
    return status;
}

static int read_row(FILE *stream, PlateSound *s)
{
    return fscanf(stream, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", &s->limit, &s->walk, &s->walk_spread, &s->run,
                  &s->run_spread, &s->stand, &s->stand_spread, &s->jump, &s->jump_spread) == 9;
}

static void read_sound(const char *path, PlateSound *sound)
{
    FILE *stream = strcmp(path, "-") ? fopen(path, "r") : NULL;
    memcpy(sound, plate_sound, PLATE_SOUND_ROWS * sizeof *sound);
    for (int i = 0; stream && i < PLATE_SOUND_ROWS && read_row(stream, &sound[i]); i++)
        ;
    if (stream)
        fclose(stream);
}

int main(int argc, char **argv)
{
    FILE *stream = argc > 2 ? fopen(argv[2], "rb") : NULL;
    PlateSound sound[PLATE_SOUND_ROWS];
    ContainerImage image = {0};
    Clip clip = {0};
    Contact estimate = {0};
    Error err = {0};
    ContactEstimateDef def = contact_estimate_default_def();
    Status status = stream ? container_next(stream, &image, &err) : STATUS_IO;
    if (status == STATUS_OK)
        status = container_decode(&image, &clip, &err);
    ClipView view = clip_view(&clip);
    if (status == STATUS_OK)
        status = contact_estimate(&view, &def, &estimate, &err);
    read_sound(argc > 1 ? argv[1] : "-", sound);
    for (int i = 3; i < argc && status == STATUS_OK; i++)
        status = answer(&clip, &estimate, sound, argv[i], &err);
    if (status != STATUS_OK)
        fprintf(stderr, "plate_measures: %s\n", err.text);
    return status == STATUS_OK ? 0 : EXIT_FAILURE;
}
