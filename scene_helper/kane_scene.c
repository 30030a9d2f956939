/* kane-scene FORMAT NUMBER [TAKE]: reads an FBX or Collada file from standard input, a regular file, and writes its
 * scene to standard output (formats/scene_file/scene_stream.h). Not for users: formats/scene_file/scene_child.c starts
 * it.
 *
 * libassimp is loaded before the process gives up its rights, and sees the file's bytes only afterwards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/scene_file/scene_child.h"
#include "formats/scene_file/scene_stream.h"
#include "scene_helper/assimp_calls.h"
#include "scene_helper/assimp_scene.h"
#include "scene_helper/collada_names.h"
#include "scene_helper/sandbox.h"

/* A copy that may be changed. */
static char *map_input(size_t *size)
{
    struct stat info;
    if (fstat(STDIN_FILENO, &info) || !S_ISREG(info.st_mode) || info.st_size <= 0)
        return NULL;
    *size = (size_t)info.st_size;
    void *bytes = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE, STDIN_FILENO, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static _Noreturn void fail(Status status, const char *text)
{
    _exit(scene_stream_write_error(status, text, stdout) ? 1 : 0);
}

static void read_and_write(const AssimpCalls *assimp, const char *bytes, size_t size, const AssimpWish *wish)
{
    Scene scene;
    Error err = {0};
    Status status = assimp_scene_read(assimp, bytes, size, wish, &scene, &err);
    if (status)
        fail(status, err.text);
    _exit(scene_stream_write(&scene, stdout) ? 1 : 0);
}

int main(int argc, char **argv)
{
    AssimpCalls assimp;
    char text[ERROR_TEXT_SIZE];
    size_t size = 0;
    char *bytes = map_input(&size);
    if (argc < 3 || !bytes) {
        fputs("usage: kane-scene FORMAT NUMBER [TAKE] < FILE; kane starts this program\n", stderr);
        return 2;
    }
    AssimpWish wish = {argv[1], argc > 3 ? argv[3] : NULL, atoi(argv[2])};
    const char *missing = assimp_load(&assimp);
    if (missing) {
        snprintf(text, sizeof text, "FBX and Collada files are read with libassimp, which cannot be loaded: install "
                 "its package (Debian and Ubuntu: libassimp5); %.200s", missing);
        fail(STATUS_IO, text);
    }
    if (sandbox_enter(SCENE_CHILD_MEGABYTES, SCENE_CHILD_SECONDS))
        fail(STATUS_IO, "the limits of the process that reads the file cannot be set");
    if (!strcmp(wish.format, "dae"))
        collada_clear_names(bytes, size);
    read_and_write(&assimp, bytes, size, &wish);
}
