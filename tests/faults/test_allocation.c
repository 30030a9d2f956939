/* Out of memory: each allocation of each step fails once, and once with all later ones. Each step must return a status
 * and a message, release everything (checked by AddressSanitizer), and work when memory is available again.
 * KANE_ALLOCATIONS=N fails every Nth one, from a random one; KANE_SEED, which is printed, repeats the same ones. */
#include "analysis/motion/motion_cutoff.h"
#include "analysis/motion/smooth.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/body/body_model.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/plate_alignment.h"
#include "analysis/contact/residual.h"
#include "analysis/detect/import_guess.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/resample.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/uncertainty/ground_terms.h"
#include "analysis/uncertainty/spread_terms.h"
#include "analysis/uncertainty/torque_uncertainty.h"
#include "formats/base/bytes.h"
#include "formats/base/new_file.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/c3d/c3d_plates.h"
#include "formats/container/container_store.h"
#include "formats/export/export.h"
#include "formats/export/info.h"
#include "formats/index/index.h"
#include "formats/query/query.h"
#include "formats/source/source_table.h"
#include "formats/tables/external_table.h"
#include "formats/tables/body_table.h"
#include "formats/tables/plate_columns.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/pipeline.h"
#include "pipeline/stages/stage_list.h"
#include "tests/support/failing_allocation.h"
#include "tests/support/motion_part.h"
#include "tests/support/old_index.h"
#include "tests/support/test_folder.h"

/* Input of the steps, which read it and free what they allocate. */
typedef struct Work {
    long stride, seed; /* of the allocations that fail */
    TestFolder folder;
    char segments[512], external[512], limits[512], container[512], index[512], shard[512], old_index[512];
    char *text; /* a BVH file */
    size_t size;
    Bvh bvh;
    Clip clip; /* processed by the whole pipeline */
    ContainerImage image;
    ClipStats stats;
    FILE *nowhere;
} Work;

typedef Status (*Step)(Work *w, Error *err);

static Status parse(Work *w, Error *err)
{
    SourceDef def = source_default_def();
    Bvh bvh;
    Status status = bvh_parse(w->text, w->size, &def, &bvh, err);
    bvh_free(&bvh);
    return status;
}

static Status import(Work *w, Error *err)
{
    ImportGuessDef def = import_guess_default_def();
    ImportGuess decision;
    Clip clip = {0};
    Status status = clip_from_bvh(&w->bvh, &def, &clip, &decision, err);
    if (!status)
        status = clip_set_source(&clip, "squat.bvh", err);
    if (!status)
        status = clip_add_history(&clip, "import", err);
    clip_free(&clip);
    return status;
}

static Status bvh_again(Work *w, Error *err)
{
    Bvh bvh = {0};
    Status status = bvh_from_clip(&w->clip, &bvh, err);
    if (!status)
        status = bvh_write(&bvh, w->nowhere, err);
    bvh_free(&bvh);
    return status;
}

static Status body(Work *w, Error *err)
{
    Status status = STATUS_OK;
    for (int model = 0; model < 2 && !status; model++) {
        BodyDef def = body_default_def();
        Body out = {0};
        def.model = model ? BODY_CAPSULES : BODY_DELEVA;
        status = body_from_skeleton(&w->clip.skeleton, &def, &out, err);
        body_free(&out);
    }
    return status;
}

static Status segments(Work *w, Error *err)
{
    Body out = {0};
    Status status = segments_read(w->segments, &w->clip.skeleton, &out, err);
    body_free(&out);
    return status;
}

static Status smooth(Work *w, Error *err)
{
    Status status = STATUS_OK;
    for (int method = 0; method < 3 && !status; method++) {
        SmoothDef def = smooth_default_def();
        Motion motion = {0};
        CutoffChoice choice;
        def.method = (SmoothMethod)method;
        status = motion_part(&w->clip.motion, -1, 1000, &motion, err);
        ClipView view = {&w->clip.skeleton, &w->clip.body, &motion, NULL};
        if (!status)
            status = motion_cutoff(&view, 0, 0, &choice, err);
        if (!status)
            status = smooth_motion(&motion, &def, &choice.cutoff, err);
        motion_free(&motion);
    }
    return status;
}

static Status resample(Work *w, Error *err)
{
    Motion out = {0};
    Status status = motion_resample(&w->clip.motion, 50, &out, err);
    motion_free(&out);
    return status;
}

static Status kinematics(Work *w, Error *err)
{
    Status status = STATUS_OK;
    for (int scheme = 0; scheme < 3 && !status; scheme++) {
        DifferenceDef def = difference_default_def();
        Kinematics out = {0};
        def.scheme = (DifferenceScheme)scheme;
        ClipView view = {&w->clip.skeleton, &w->clip.body, &w->clip.motion, &w->clip.kinematics};
        status = differentiate(&view, &def, &out, err);
        kinematics_free(&out);
    }
    return status;
}

static Status contact(Work *w, Error *err)
{
    ContactEstimateDef def = contact_estimate_default_def();
    ResidualReductionDef reduction = residual_reduction_default_def();
    DifferenceDef difference = difference_default_def();
    Contact out = {0};
    Kinematics kinematics = {0};
    const Clip *c = &w->clip;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    Status status = contact_estimate(&view, &def, &out, err);
    if (!status)
        status = differentiate(&view, &difference, &kinematics, err);
    ClipView again = {&c->skeleton, &c->body, &c->motion, &kinematics};
    if (!status)
        status = residual_reduce(&again, &reduction, &out, &kinematics, err);
    contact_free(&out);
    kinematics_free(&kinematics);
    return status;
}

static Status measured(Work *w, Error *err)
{
    ExternalRows rows;
    Loads loads = {0};
    Contact out = {0};
    const Clip *c = &w->clip;
    Status status = external_read(w->external, &c->skeleton, &rows, err);
    if (status)
        return status;
    status = loads_from_external(&rows, &c->motion, &loads, err);
    ClipView view = {&c->skeleton, NULL, &c->motion, &c->kinematics};
    if (!status)
        status = contact_from_external(&rows, &view, &(MeasuredDef){0}, &out, err);
    external_rows_free(&rows);
    loads_free(&loads);
    contact_free(&out);
    return status;
}

/* A plate under both feet with the forces of the clip. */
static Status alignment(Work *w, Error *err)
{
    const Clip *c = &w->clip;
    PlateAlignmentDef def = {.find_lag = 1, .find_place = 1};
    PlateAlignment found;
    PlateRecord record;
    ExternalRows rows = {0};
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    EstimatedMotion with = {.clip = &view, .estimate = &c->contact};
    Status status = plate_record_init(&record, 1, c->motion.frame_count, err);
    if (status)
        return status;
    record.plate[0].foot = FOOT_COUNT;
    for (int f = 0; f < record.sample_count; f++)
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            size_t at = (size_t)f * FOOT_COUNT + (size_t)foot;
            Vec3 force = c->contact.foot_force[at];
            record.time[f] = c->motion.time[f];
            record.force[f] = vec3_add(record.force[f], force);
            record.moment[f] = vec3_add(record.moment[f], vec3_cross(c->contact.foot_cop[at], force));
        }
    status = plates_align(&def, &with, &record, &found, &rows, err);
    external_rows_free(&rows);
    plate_record_free(&record);
    return status;
}

/* A file of 20 samples from the seeds of the fuzzer, whose first byte is not of the file. */
static Status c3d(Work *w, Error *err)
{
    static const char file[] = "tests/fuzz/corpus_c3d/266369dd8f46bf07";
    char *bytes = NULL;
    size_t size;
    C3d c3d;
    PlateRecord record;
    (void)w;
    Status status = bytes_read_path(file, &bytes, &size, err);
    if (status)
        return status;
    status = c3d_open(bytes + 1, size - 1, &c3d, err);
    if (!status) {
        status = c3d_plates(&c3d, PLATE_ZERO_UNLOADED, &record, err);
        plate_record_free(&record);
    }
    c3d_close(&c3d);
    free(bytes);
    return status;
}

static Status columns(Work *w, Error *err)
{
    static const char table[] = "time\tFx1\tFy1\tFz1\tPx1\tPy1\tPz1\n0\t1\t2\t3\t4\t5\t6\n1\t1\t2\t3\t4\t5\t6\n";
    PlateRecord record;
    (void)w;
    Status status = plate_columns_parse(table, sizeof table - 1, &record, err);
    plate_record_free(&record);
    return status;
}

static Status amc(Work *w, Error *err)
{
    static const char skeleton[] =
        ":version 1.10\n:units\n mass 1.0\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n"
        " position 0 0 0\n orientation 0 0 0\n:bonedata\n begin\n id 1\n name hip\n direction 0 -4 0\n length 2\n"
        " axis 0 0 90 XYZ\n dof rx\n limits (-160.0 20.0)\n end\n:hierarchy\n begin\n root hip\n end\n";
    static const char motion[] = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 0 90 0\nhip 90\n";
    SourceFile asf = {.path = "a/leg.asf", .bytes = skeleton, .size = sizeof skeleton - 1};
    SourceFile file = {.path = "a/leg.amc", .bytes = motion, .size = sizeof motion - 1, .companion = &asf,
                       .companion_count = 1};
    SourceDef def = source_default_def();
    Take take = {0};
    (void)w;
    def.tolerant = 1;
    Status status = source_amc.read(&file, 1, &def, &take, err);
    take_free(&take);
    return status;
}

static Status torque(Work *w, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Loads loads = {0};
    Dynamics out = {0};
    const Clip *c = &w->clip;
    Status status = loads_from_contact(&c->contact, &c->kinematics, &loads, err);
    if (!status)
        status = inverse_dynamics(&(ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics}, &loads, &def, &out,
                                  err);
    loads_free(&loads);
    dynamics_free(&out);
    return status;
}

static Status uncertainty(Work *w, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    UncertaintyDef spread = uncertainty_default_def(SPREAD_FAST);
    Loads loads = {0};
    Dynamics out = {0};
    const Clip *c = &w->clip;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    spread.ground = GROUND_ESTIMATED;
    spread.ground_loads = &loads;
    spread.filter.cutoff = 8;
    Status status = loads_from_contact(&c->contact, &c->kinematics, &loads, err);
    if (!status)
        status = inverse_dynamics(&view, &loads, &def, &out, err);
    if (!status)
        status = torque_uncertainty(&view, &loads, &spread, &out, err);
    loads_free(&loads);
    dynamics_free(&out);
    return status;
}

static Status encode(Work *w, Error *err)
{
    ContainerImage image = {0};
    ContainerDef def = container_default_def();
    Status status = container_encode(&w->clip, &def, &image, err);
    container_image_free(&image);
    return status;
}

static Status store(Work *w, Error *err)
{
    ContainerDef def = container_default_def();
    NewFile file = {.descriptor = -1};
    Status status = new_file_open(w->shard, &file, err);
    if (!status)
        status = container_write(&w->clip, &def, file.descriptor, err);
    new_file_discard(&file);
    return status;
}

static Status decode(Work *w, Error *err)
{
    Clip clip = {0};
    Status status = container_decode(&w->image, &clip, err);
    clip_free(&clip);
    return status;
}

static Status load(Work *w, Error *err)
{
    ContainerImage image = {0};
    Clip clip = {0};
    char warning[100];
    Status status = container_load(w->container, &image, err);
    if (!status)
        status = container_decode_guarded(&image, &clip, warning, sizeof warning, err);
    clip_free(&clip);
    container_image_free(&image);
    return status;
}

static Status stats(Work *w, Error *err)
{
    ClipStats out = {0}, back = {0};
    unsigned char *bytes = NULL;
    size_t size;
    Status status = clip_stats_init(&out, &w->clip, FRAMES_TRUSTED, err);
    if (status)
        return status;
    status = clip_stats_pack(&out, &bytes, &size, err);
    if (!status)
        status = clip_stats_unpack(bytes, size, &back, err);
    free(bytes);
    clip_stats_free(&out);
    clip_stats_free(&back);
    return status;
}

/* Two clips, one path added twice, a failure, and the stamps of a batch. */
static Status fill_index(Work *w, const char *path, Error *err)
{
    static const char *const paths[] = {"a.h5", "b.h5"};
    const IndexStamp stamp = {.input_size = 1};
    Index *index = NULL;
    Status status = index_open(path, &index, err);
    for (int i = 0; i < 3 && !status; i++)
        status = index_put_clip(index, paths[i % 2], &w->stats, err);
    if (!status)
        status = index_put_stamp(index, "a.h5", "a.bvh", &stamp, "import", err);
    if (!status && index_compare(index, "a.h5", &stamp, "import") != INDEX_UNCHANGED)
        status = error_set(err, STATUS_NO_MEMORY, "not noted");
    if (!status)
        status = index_put_failure(index, "c.h5", 0, "import", "no", err);
    if (!status)
        status = index_finish(index, err);
    index_close(index);
    return status;
}

static Status index_step(Work *w, Error *err)
{
    char path[300], batch[320];
    snprintf(path, sizeof path, "%s/new.db", w->folder.path);
    snprintf(batch, sizeof batch, "%s.batch", path);
    Status status = fill_index(w, path, err);
    unlink(path);
    unlink(batch);
    return status;
}

/* An index of version 0.1 is replaced by a complete new one or kept. */
static Status replace(Work *w, Error *err)
{
    char path[300], beside[320];
    struct stat old, now, left;
    const char *const *listed;
    size_t count;
    Index *index = NULL;
    snprintf(path, sizeof path, "%s/replaced.db", w->folder.path);
    snprintf(beside, sizeof beside, "%s.rebuild", path);
    assert_int_equal(link(w->old_index, path), 0);
    Status status = index_open(path, &index, err);
    if (!status && !index_outdated(index, &listed, &count))
        status = error_set(err, STATUS_INTERNAL, "not told");
    if (!status)
        status = index_put_clip(index, listed[0], &w->stats, err);
    if (!status)
        status = index_finish(index, err);
    index_close(index);
    assert_int_equal(stat(w->old_index, &old) || stat(path, &now), 0);
    if ((status == STATUS_OK) == (old.st_ino == now.st_ino) || stat(beside, &left) == 0)
        status = error_set(err, STATUS_INTERNAL, "replaced in part");
    unlink(path);
    return status;
}

static Status merge(Work *w, Error *err)
{
    const char *shards[] = {w->index};
    char path[300], batch[320];
    Index *index = NULL;
    snprintf(path, sizeof path, "%s/merged.db", w->folder.path);
    snprintf(batch, sizeof batch, "%s.batch", path);
    Status status = index_open(path, &index, err);
    if (!status)
        status = index_merge(index, shards, 1, err);
    if (!status)
        status = index_finish(index, err);
    index_close(index);
    unlink(path);
    unlink(batch);
    return status;
}

static Status query(Work *w, Error *err)
{
    const struct {
        const char *where, *argument;
    } questions[] = {
        {"torque_peak_nm > 0", NULL}, {"@hardest", NULL}, {"@peaks", NULL},
        {"@within", w->limits},     {"@similar", w->container},
    };
    Status status = STATUS_OK;
    for (size_t i = 0; i < sizeof questions / sizeof *questions && !status; i++) {
        QueryDef def = query_default_def();
        def.where = questions[i].where;
        def.argument = questions[i].argument;
        def.format = (QueryFormat)(i % QUERY_FORMAT_COUNT);
        status = query_run(w->index, &def, w->nowhere, err);
        status = status == STATUS_NO_RESULT ? STATUS_OK : status;
    }
    return status;
}

static Status wrong_column(Work *w, Error *err)
{
    QueryDef def = query_default_def();
    def.where = "left_kneee_torque_peak_nm > 1";
    Status status = query_run(w->index, &def, w->nowhere, err);
    return status == STATUS_USAGE ? STATUS_OK : status;
}

static Status export(Work *w, Error *err)
{
    ExportDef def = export_default_def();
    Status status = export_moments(&w->clip, &def, w->nowhere, err);
    if (!status)
        status = export_grf(&w->clip, &def, w->nowhere, err);
    if (!status)
        status = export_wide(&w->clip, &def, w->nowhere, err);
    for (int f = 0; f < EXPORT_FORMAT_COUNT && !status; f++) {
        if (f == EXPORT_TRC || f == EXPORT_VRMA) /* the clip has no markers, and no head */
            continue;
        def.format = (ExportFormat)f;
        def.frame = EXPORT_LOCAL;
        status = export_clip(&w->clip, &def, w->nowhere, err);
    }
    return status;
}

static Status info(Work *w, Error *err)
{
    Status status = info_text(&w->clip, FRAMES_TRUSTED, w->nowhere, err);
    return status ? status : info_json(&w->clip, FRAMES_TRUSTED, w->nowhere, err);
}

/* Parts of the stages beyond the steps above: notes, history, options as text. */
static Status pipeline(Work *w, Error *err)
{
    Pipeline pipeline = pipeline_defaults();
    Notes notes = {0};
    Clip clip = {0};
    char *text = NULL;
    (void)w;
    pipeline_end_with(&pipeline, &stage_kinematics);
    Status status = pipeline_open(&pipeline, "tests/cli/squat.bvh", &clip, &notes, err);
    if (!status)
        status = pipeline_run(&pipeline, &clip, &notes, err);
    if (!status)
        status = pipeline_describe(&pipeline, &text, err);
    free(text);
    notes_free(&notes);
    clip_free(&clip);
    return status;
}

/* Fails the allocations of a step in turn, every `stride`th from `first`; returns their number. */
static long exhaust(const char *name, Step step, Work *w, int stays)
{
    for (long n = 1 + w->seed % w->stride;; n += w->stride) {
        Error err = {0};
        allocation_reset(n, stays);
        Status status = step(w, &err);
        long calls = *allocation_calls;
        allocation_reset(0, 0);
        if (status != STATUS_OK && err.text[0] == 0)
            fail_msg("%s: allocation %ld: %s without a text", name, n, status_name(status));
        if (status != STATUS_OK && status != STATUS_NO_MEMORY && status != STATUS_IO)
            fail_msg("%s: allocation %ld: %s: %s", name, n, status_name(status), err.text);
        if (calls >= n)
            continue;
        if (status != STATUS_OK)
            fail_msg("%s: with memory for all: %s", name, err.text);
        return calls;
    }
}

TEST(every_stage_survives_each_allocation_failure)
{
    static const struct {
        const char *name;
        Step step;
    } steps[] = {
        {"parse", parse},       {"import", import}, {"bvh", bvh_again}, {"body", body},         {"segments", segments},
        {"smooth", smooth},     {"kinematics", kinematics}, {"contact", contact},
        {"measured", measured}, {"alignment", alignment},   {"c3d", c3d},           {"columns", columns},
        {"amc", amc},           {"torque", torque},         {"uncertainty", uncertainty},
        {"encode", encode},     {"store", store},   {"decode", decode}, {"load", load},         {"stats", stats},
        {"index", index_step},  {"replace", replace}, {"merge", merge}, {"query", query},
        {"wrong column", wrong_column},
        {"export", export},     {"info", info},     {"resample", resample},
        {"pipeline", pipeline},
    };
    const Work *w = *state;
    long total = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        long count = exhaust(steps[i].name, steps[i].step, *state, 0);
        assert_int_equal(exhaust(steps[i].name, steps[i].step, *state, 1), count);
        print_message("%s: %ld allocations\n", steps[i].name, count);
        total += count;
    }
    print_message("allocation: KANE_SEED=%ld: one of %ld of %ld allocations, alone and with all that follow\n", w->seed,
                  w->stride, total);
    assert_true(total > 100);
}

static void write_text(TestFolder *folder, const char *name, const char *text, char path[512])
{
    strcpy(path, test_folder_file(folder, name));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The first frames of the sample, which keeps many runs short. */
static void read_sample(Work *w)
{
    SourceDef def = source_default_def();
    assert_int_equal(bytes_read_path("tests/cli/squat.bvh", &w->text, &w->size, NULL), STATUS_OK);
    assert_int_equal(bvh_parse(w->text, w->size, &def, &w->bvh, NULL), STATUS_OK);
}

static void run_chain(Work *w)
{
    Pipeline pipeline = pipeline_defaults();
    assert_int_equal(pipeline_open(&pipeline, "tests/cli/squat.bvh", &w->clip, NULL, NULL), STATUS_OK);
    assert_int_equal(pipeline_run(&pipeline, &w->clip, NULL, NULL), STATUS_OK);
}

static int make_work(void **state)
{
    static Work work;
    Work *w = &work;
    ContainerDef def = container_default_def();
    const char *stride = getenv("KANE_ALLOCATIONS"), *seed = getenv("KANE_SEED");
    w->stride = stride ? strtol(stride, NULL, 10) : 1;
    w->seed = seed ? strtol(seed, NULL, 10) : (long)getpid();
    assert_true(w->stride > 0 && w->seed >= 0);
    w->folder = test_folder_make();
    write_text(&w->folder, "segments.tsv", "joint\tmass\tcom_x\tcom_y\tcom_z\tIxx\tIyy\tIzz\tIxy\tIxz\tIyz\n"
                                           "Hips\t10\t0\t0.1\t0\t0.1\t0.1\t0.1\t0\t0\t0\n", w->segments);
    write_text(&w->folder, "external.tsv", "time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n"
                                           "0\tHips\t0\t500\t0\t0\t0\t0\t0\t0\t0\n"
                                           "0.5\tHips\t0\t600\t0\t0\t0\t0\t0\t0\t0\n", w->external);
    write_text(&w->folder, "limits.tsv", "role\ttorque_nm\nleft_knee\t1000\n", w->limits);
    strcpy(w->container, test_folder_file(&w->folder, "clip.h5"));
    strcpy(w->index, test_folder_file(&w->folder, "index.db"));
    strcpy(w->shard, test_folder_file(&w->folder, "other.h5"));
    strcpy(w->old_index, test_folder_file(&w->folder, "old.db"));
    old_index_make(w->old_index, 1, "");
    read_sample(w);
    run_chain(w);
    assert_int_equal(container_encode(&w->clip, &def, &w->image, NULL), STATUS_OK);
    assert_int_equal(container_store(&w->clip, &def, w->container, NULL), STATUS_OK);
    assert_int_equal(clip_stats_init(&w->stats, &w->clip, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(fill_index(w, w->index, NULL), STATUS_OK);
    w->nowhere = fopen("/dev/null", "w");
    assert_non_null(w->nowhere);
    *state = w;
    return 0;
}

static int free_work(void **state)
{
    Work *w = *state;
    fclose(w->nowhere);
    clip_stats_free(&w->stats);
    container_image_free(&w->image);
    clip_free(&w->clip);
    bvh_free(&w->bvh);
    free(w->text);
    test_folder_remove(&w->folder);
    return 0;
}

TEST_GROUP(make_work, free_work)
