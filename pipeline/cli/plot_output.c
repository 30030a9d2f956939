/* See plot_output.h. */
#include "pipeline/cli/plot_output.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/base/new_file.h"

const OutputEnding plot_endings[] = {
    {"svg", RESULT_SVG, FILE_SVG},         {"png", RESULT_PNG, FILE_PNG}, {"gp", RESULT_GNUPLOT, FILE_GNUPLOT},
    {"gnuplot", RESULT_GNUPLOT, FILE_GNUPLOT}, {NULL, RESULT_SVG, FILE_SVG},
};

static Status copy_stream(FILE *from, FILE *to, Error *err)
{
    char bytes[65536];
    size_t got;
    rewind(from);
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, got, to) != got)
            break;
    if (ferror(from) || ferror(to) || fflush(to))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* Copies the complete result to standard output or to its file. */
static Status deliver(const PlotOutput *out, FILE *result, Error *err)
{
    OutputFile file;
    FILE *stream = NULL;
    const char *path = out->path;
    if (!strcmp(path, "-"))
        return copy_stream(result, stdout, err);
    Status status = output_file_open(out->call, path, out->kind, out->origin, &file, err);
    if (status)
        return status;
    status = error_of_file(err, path, new_file_stream(&file.file, &stream, err));
    if (!status) {
        status = error_of_file(err, path, copy_stream(result, stream, err));
        fclose(stream);
    }
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

/* Starts "gnuplot -d -"; -d ignores the user's start-up file, which could change the picture. */
static Status start_gnuplot(int script, int picture, int messages, pid_t *child, Error *err)
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
        return error_set(err, STATUS_IO, "gnuplot not found (Debian: gnuplot-nox)");
    return failed ? error_set(err, STATUS_IO, "cannot start gnuplot: %s", strerror(failed)) : STATUS_OK;
}

/* Sets the error from the first line of gnuplot's messages with text. */
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

/* Runs gnuplot as a child process, without a shell, on the script from its beginning; the picture goes to an open
 * regular file. STATUS_IO if gnuplot is missing, fails or draws nothing; err has its message. */
static Status run_gnuplot(FILE *script, FILE *picture, Error *err)
{
    pid_t child = -1;
    int state = 0;
    struct stat drawn = {0};
    FILE *messages = tmpfile();
    if (!messages)
        return error_set(err, STATUS_IO, "cannot create a temporary file: %s", strerror(errno));
    rewind(script);
    Status status = start_gnuplot(fileno(script), fileno(picture), fileno(messages), &child, err);
    if (!status) {
        while (waitpid(child, &state, 0) < 0 && errno == EINTR)
            ;
        fstat(fileno(picture), &drawn);
        if (!WIFEXITED(state) || WEXITSTATUS(state) != 0 || drawn.st_size == 0)
            status = complain(messages, err);
    }
    fclose(messages);
    return status;
}

Status plot_output_put(const PlotOutput *out, FILE *script, Error *err)
{
    if (out->is_script)
        return deliver(out, script, err);
    FILE *picture = tmpfile(); /* unnamed, so that no partial file remains */
    if (!picture)
        return error_set(err, STATUS_IO, "cannot create a temporary file: %s", strerror(errno));
    Status status = run_gnuplot(script, picture, err);
    if (!status)
        status = deliver(out, picture, err);
    fclose(picture);
    return status;
}
