/* Detection counts of sustained artifacts per file under many settings of their limits, for
 * research/artifact_limits.py, which links a copy of the detectors of analysis/quality whose limits can be set.
 *
 * artifact_limits KIND FIRST_SEED SEEDS SETTINGS FILE...      KIND 0 flicker, 1 drift, 2 sliding
 *
 * SETTINGS has one setting per line, name=value name=value ...; unnamed limits keep their committed value. Artifacts
 * are planted and files judged as in tests/real/test_sustained_artifacts.c. Prints rows: title setting planted found
 * marked seconds. marked: falsely flagged time of the unchanged file, s; seconds: its duration. Both are 0 for files
 * with real artifacts. */
#define main test_main
#include "tests/real/test_sustained_artifacts.c"
#undef main

enum { MOST_SETTINGS = 4096, MOST_LIMITS = 16 };

double *artifact_limit(const char *name); /* NULL if there is none */

typedef struct Setting {
    int count, found;
    double *limit[MOST_LIMITS], value[MOST_LIMITS], committed[MOST_LIMITS], marked;
} Setting;

typedef struct Run {
    SustainedKind kind;
    int first_seed, seeds, count, planted;
    Setting setting[MOST_SETTINGS];
} Run;

static void read_settings(const char *path, Run *run)
{
    char line[4096], *rest;
    FILE *file = fopen(path, "r");
    while (file && run->count < MOST_SETTINGS && fgets(line, sizeof line, file)) {
        Setting *s = &run->setting[run->count++];
        for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
            char *value = strchr(word, '=');
            *value++ = 0;
            assert_true(s->count < MOST_LIMITS);
            s->limit[s->count] = artifact_limit(word);
            assert_non_null(s->limit[s->count]);
            s->committed[s->count] = *s->limit[s->count];
            s->value[s->count++] = strtod(value, NULL);
        }
    }
    fclose(file);
}

static void set_limits(const Setting *s, const double *value)
{
    for (int i = 0; i < s->count; i++)
        *s->limit[i] = value[i];
}

/* Whether a finding in a clean file is correct: flicker that is really there. */
static int is_true(const Clip *clip, const Artifact *f)
{
    return f->kind == TRUST_FLICKER && is_shaking(clip, f->joint);
}

/* Returns the number of frames in first..last with an artifact of the kind, under these limits. */
static int covered(const Run *run, const Setting *s, const Clip *clip, int first, int last)
{
    Artifacts found = {0};
    int frames = 0;
    set_limits(s, s->value);
    if (run->kind == SUSTAINED_FLICKER)
        assert_int_equal(artifact_flicker_find(&clip->skeleton, &clip->motion, &found, NULL), STATUS_OK);
    else
        assert_int_equal(artifact_ground_find(&clip->skeleton, &clip->motion, &found, NULL), STATUS_OK);
    set_limits(s, s->committed);
    for (int f = first; f <= last; f++) {
        int is_in = 0;
        for (int i = 0; i < found.count; i++)
            is_in |= found.artifact[i].kind == sustained_reasons[run->kind] && f >= found.artifact[i].first &&
                     f <= found.artifact[i].last && !is_true(clip, &found.artifact[i]);
        frames += is_in;
    }
    artifacts_free(&found);
    return frames;
}

/* Plants one kind of artifact. All kinds are drawn, so that the random numbers are those of the test. */
static void plant(Run *run, const Clip *clip, const Mirror *mirror, SustainedKind kind, unsigned *seed)
{
    Clip altered = *clip;
    Sustained p;
    if (!sustained_draw(&clip->skeleton, &clip->motion, kind, seed, &p) || kind != run->kind ||
        (kind == SUSTAINED_SLIDING && standing(clip, &p) < 0.2))
        return;
    assert_int_equal(motion_copy(&altered.motion, &clip->motion, NULL), STATUS_OK);
    sustained_apply(&clip->skeleton, mirror, &altered.motion, &p);
    if (moved(clip, &altered.motion, &p) > nothing[kind]) {
        double minimum = (kind == SUSTAINED_SLIDING ? 0.1 : 0.3) * (p.last - p.first + 1);
        run->planted++;
        for (int i = 0; i < run->count; i++)
            run->setting[i].found += covered(run, &run->setting[i], &altered, p.first, p.last) >= minimum;
    }
    motion_free(&altered.motion);
}

static void plant_at_rates(Run *run, const Clip *clip, const Mirror *mirror, unsigned seed)
{
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        Clip other = *clip;
        int resampled = rates[i] > 0 && rates[i] * clip->motion.frame_time < 0.9;
        if (resampled && motion_resample(&clip->motion, rates[i], &other.motion, NULL) != STATUS_OK)
            continue;
        for (int k = 0; k < SUSTAINED_COUNT; k++)
            plant(run, &other, mirror, (SustainedKind)k, &seed);
        if (resampled)
            motion_free(&other.motion);
    }
}

static void search_file(Run *run, const char *path)
{
    Clip clip;
    Mirror mirror;
    char seed[16];
    run->planted = 0;
    if (!read_clip(path, &clip) || mirror_init(&mirror, &clip.skeleton, &clip.motion, NULL) != STATUS_OK)
        return;
    assert_int_equal(clip_set_source(&clip, path, NULL), STATUS_OK);
    int last = clip.motion.frame_count - 1, is_sound = !is_faulty(&clip);
    double dt = is_sound ? clip.motion.frame_time : 0;
    for (int i = 0; i < run->count; i++) {
        run->setting[i].found = 0;
        run->setting[i].marked = is_sound ? covered(run, &run->setting[i], &clip, 0, last) * dt : 0;
    }
    for (int s = 0; s < run->seeds; s++) {
        snprintf(seed, sizeof seed, "%d", run->first_seed + s);
        setenv("KANE_SEED", seed, 1);
        plant_at_rates(run, &clip, &mirror, file_seed(path));
    }
    for (int i = 0; i < run->count; i++)
        printf("%s %d %d %d %.4f %.3f\n", clip.provenance.title, i, run->planted, run->setting[i].found,
               run->setting[i].marked, (last + 1) * dt);
    mirror_free(&mirror);
    clip_free(&clip);
}

int main(int argc, char **argv)
{
    static Run run;
    if (argc < 6)
        return 2;
    run.kind = (SustainedKind)atoi(argv[1]);
    run.first_seed = atoi(argv[2]);
    run.seeds = atoi(argv[3]);
    read_settings(argv[4], &run);
    for (int i = 5; i < argc; i++)
        search_file(&run, argv[i]);
    (void)look_at_all, (void)test_main;
    return 0;
}
