#include "pipeline/cli/plot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* "gnuplot -d -": default settings, so that no start-up file of the user changes the picture. */
static Status start(int script, int picture, int messages, pid_t *child, Error *err)
{
    char *arguments[] = {"gnuplot", "-d", "-", NULL};
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files))
        return error_no_memory(err);
    int failed = posix_spawn_file_actions_adddup2(&files, script, STDIN_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, picture, STDOUT_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
    failed = failed ? failed : posix_spawnp(child, arguments[0], &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed == ENOENT)
        return error_set(err, STATUS_IO, "gnuplot is missing, which draws the plots (Debian: gnuplot-nox)");
    return failed ? error_set(err, STATUS_IO, "gnuplot does not start: %s", strerror(failed)) : STATUS_OK;
}

/* The line of its messages that says what is wrong. */
static Status complain(FILE *messages, Error *err)
{
    char line[256], said[256] = "no picture";
    rewind(messages);
    while (fgets(line, sizeof line, messages)) {
        line[strcspn(line, "\n")] = '\0';
        if (strspn(line, " ^") < strlen(line))
            memcpy(said, line, sizeof said);
    }
    return error_set(err, STATUS_IO, "gnuplot: %s", said);
}

Status gnuplot_run(FILE *script, FILE *picture, Error *err)
{
    pid_t child = -1;
    int state = 0;
    struct stat drawn = {0};
    FILE *messages = tmpfile();
    if (!messages)
        return error_set(err, STATUS_IO, "no temporary file: %s", strerror(errno));
    rewind(script);
    Status status = start(fileno(script), fileno(picture), fileno(messages), &child, err);
    if (status == STATUS_OK) {
        while (waitpid(child, &state, 0) < 0 && errno == EINTR)
            ;
        fstat(fileno(picture), &drawn);
        if (!WIFEXITED(state) || WEXITSTATUS(state) != 0 || drawn.st_size == 0)
            status = complain(messages, err);
    }
    fclose(messages);
    return status;
}
