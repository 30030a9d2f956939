/* Example of the library: simulates a scene and follows its last joint with a damped spring, or tracks the motion of a
 * clip with a controller.
 * usage: simulate SCENE.xml|FILE.bvh [OPTION VALUE]...      options of `kane simulate`, or of `kane track` */
#include <kane.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Prints the height of the last joint, and of a 1 Hz spring that follows it, every 0.25 s. */
static int follow(const KaneClip *clip, KaneError *error)
{
    size_t shape[3];
    KaneSpring spring;
    const double *place = kane_array(clip, "/kinematics/position", shape), *time = kane_array(clip, "/time", NULL);
    double y = place[(shape[1] - 1) * 3 + 1], velocity = 0, next = 0;
    if (kane_spring_set(&spring, 2 * acos(-1), 1, kane_frame_time(clip), error))
        return 1;
    for (size_t f = 0; f < shape[0]; f++) {
        size_t last = (f * shape[1] + shape[1] - 1) * 3;
        kane_spring_step(&spring, place[last + 1], &y, &velocity);
        if (time[f] < next)
            continue;
        printf("%.2f s: %s at %.3f m, spring at %.3f m\n", time[f], kane_joint_name(clip, (int)shape[1] - 1),
               place[last + 1], y);
        next += 0.25;
    }
    return 0;
}

static int simulate(const char *path, const KaneOptions *options, KaneError *error)
{
    KaneClip *clip;
    int failed = kane_simulate(path, options, &clip, error);
    if (!failed)
        failed = follow(clip, error);
    kane_close(clip);
    return failed;
}

/* Returns the mean orientation error of a controller over frames and joints, degrees. */
static int track(const char *path, const KaneOptions *options, KaneError *error)
{
    KaneClip *clip = NULL;
    size_t shape[3];
    int failed = kane_open(path, NULL, &clip, error);
    if (!failed)
        failed = kane_run(clip, NULL, error);
    if (!failed)
        failed = kane_track(clip, options, error);
    const double *angle = failed ? NULL : kane_array(clip, "/tracking/kane/orientation_error", shape);
    if (angle) {
        double sum = 0;
        for (size_t i = 0; i < shape[0] * shape[1]; i++)
            sum += angle[i];
        double mean = sum / (double)(shape[0] * shape[1]);
        printf("kane: %zu steps, mean error %.2f degrees\n", shape[0], mean * 180 / acos(-1));
    }
    kane_close(clip);
    return failed;
}

int main(int argc, char **argv)
{
    KaneError error = {0};
    int is_scene = argc > 1 && strstr(argv[1], ".xml") != NULL;
    KaneOptions *options = kane_options_create_for(is_scene ? KANE_COMMAND_SIMULATE : KANE_COMMAND_TRACK);
    int failed = argc < 2 || !options;
    if (failed)
        fprintf(stderr, "usage: %s SCENE.xml|FILE.bvh [OPTION VALUE]...\n", argv[0]);
    for (int i = 2; i + 1 < argc && !failed; i += 2)
        failed = kane_options_set(options, argv[i], argv[i + 1], &error);
    if (!failed)
        failed = is_scene ? simulate(argv[1], options, &error) : track(argv[1], options, &error);
    if (failed && error.status)
        fprintf(stderr, "%s:%d:%d: %s\n", argv[1], error.line, error.column, error.text);
    kane_options_destroy(options);
    return failed != 0;
}
