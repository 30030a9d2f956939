/* Example of the library: a character that follows a clip on its own feet and reacts to pushes, 60 frames per second.
 * usage: react FILE.bvh [NEWTON [SECONDS]]      pushes the chest forward at 0.5 s for 0.2 s, with 150 N by default */
#include <kane.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#define FRAME (1.0 / 60)
static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A game would draw positions and orientations in each frame. Returns the processor time of the busiest, s. */
static double play(KaneLive *live, int chest, double newton, double seconds, KaneError *error)
{
    double busiest = 0, start = now();
    const double *position = kane_live_positions(live), force[3] = {0, 0, newton};
    for (int frame = 0; frame * FRAME < seconds && !error->status; frame++) {
        double begin = (double)clock(), time = kane_live_time(live);
        if (time >= 0.5 && time < 0.7)
            kane_live_push(live, chest, force, position + 3 * chest, error);
        kane_live_advance(live, FRAME, error);
        double used = ((double)clock() - begin) / CLOCKS_PER_SEC;
        busiest = used > busiest ? used : busiest;
        if (frame % 30 == 0)
            printf("%.2f s: chest at %.2f %.2f %.2f m, %s\n", kane_live_time(live), position[3 * chest],
                   position[3 * chest + 1], position[3 * chest + 2], kane_live_outcome(live));
        double wait = start + (frame + 1) * FRAME - now();
        if (wait > 0)
            thrd_sleep(&(struct timespec){0, (long)(1e9 * wait)}, NULL);
    }
    return busiest;
}

int main(int argc, char **argv)
{
    KaneError error = {0};
    KaneClip *clip = NULL;
    KaneLive *live = NULL;
    KaneOptions *options = kane_options_create_for(KANE_COMMAND_TRACK);
    if (options && !kane_options_set(options, "root", "free", &error) &&
        !kane_options_set_number(options, "dt", FRAME / 2, &error) &&
        !kane_open(argc > 1 ? argv[1] : "", NULL, &clip, &error) && !kane_run(clip, NULL, &error) &&
        !kane_live_track(clip, options, &live, &error)) {
        double busiest = play(live, kane_find_role(clip, "chest"), argc > 2 ? atof(argv[2]) : 150,
                              argc > 3 ? atof(argv[3]) : 3, &error);
        printf("%s after %.2f s; the busiest frame computed for %.1f of %.1f ms\n", kane_live_outcome(live),
               kane_live_time(live), 1e3 * busiest, 1e3 * FRAME);
    }
    if (error.status)
        fprintf(stderr, "%s: %s\n", argc > 1 ? argv[1] : "FILE.bvh", error.text);
    kane_live_close(live);
    kane_close(clip);
    kane_options_destroy(options);
    return error.status != 0;
}
