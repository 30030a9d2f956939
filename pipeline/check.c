/* kane check: what is wrong with BVH files and containers, every finding with its line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"
#include "formats/container.h"
#include "pipeline/bvh_source.h"
#include "pipeline/message.h"

/* Findings are this verb's data, so they go to standard output. */
static void print_finding(const char *path, int line, int column, const char *text)
{
    char place[4400];
    message_place(path, line, column, place, sizeof place);
    printf("%s%s\n", place, text);
}

static Status read_input(const char *path, char **bytes, size_t *size, Error *err)
{
    return strcmp(path, "-") ? bytes_read_path(path, bytes, size, err) : bytes_read_stream(stdin, bytes, size, err);
}

static int is_container(const char *bytes, size_t size)
{
    static const char signature[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    return size >= sizeof signature && !memcmp(bytes, signature, sizeof signature);
}

/* Number of findings. */
static int check_bvh(const char *path, const char *bytes, size_t size, const ImportOptions *options)
{
    Bvh bvh;
    Clip clip = {0};
    Evidence evidence;
    Error err = {0};
    if (bvh_parse(bytes, size, &options->limits, &bvh, &err) != STATUS_OK) {
        print_finding(path, err.line, err.column, err.text);
        return 1;
    }
    int count = bvh.warning_count;
    for (int i = 0; i < bvh.warning_count; i++)
        print_finding(path, bvh.warning[i].line, bvh.warning[i].column, bvh.warning[i].text);
    if (clip_from_bvh(&bvh, &options->evidence, &clip, &evidence, &err) != STATUS_OK) {
        print_finding(path, err.line, err.column, err.text);
        count++;
    }
    clip_free(&clip);
    bvh_free(&bvh);
    return count;
}

/* Every container of a file. */
static int check_containers(const char *path, char *bytes, size_t size)
{
    int count = 0;
    FILE *stream = fmemopen(bytes, size, "rb");
    for (;;) {
        ContainerImage image = {0};
        Clip clip = {0};
        Error err = {0};
        char warning[512] = "";
        Status status = stream ? container_next(stream, &image, &err) : error_no_memory(&err);
        int last = status != STATUS_OK || image.size == 0;
        if (!last)
            status = container_decode_guarded(&image, &clip, warning, sizeof warning, &err);
        if (status != STATUS_OK || *warning) {
            print_finding(path, 0, 0, *warning ? warning : err.text);
            count++;
        }
        clip_free(&clip);
        container_image_free(&image);
        if (last)
            break;
    }
    if (stream)
        fclose(stream);
    return count;
}

static int check_main(const Verb *verb, int argc, char **argv)
{
    static const Option no_options[] = {{0}};
    OptionGroup group = {NULL, no_options, NULL};
    OptionValues import;
    int first, code = 0;
    verb_defaults(&verb_import, &import);
    options_parse("kane check", verb->arguments, verb->description, &group, 1, argc, argv, &first);
    if (first == argc)
        return message_usage(verb->name, "expected %s", verb->arguments);
    for (int i = first; i < argc; i++) {
        char *bytes;
        size_t size;
        Error err = {0};
        if (read_input(argv[i], &bytes, &size, &err) != STATUS_OK) {
            code = exit_code_worse(code, message_error(verb->name, argv[i], &err));
            continue;
        }
        int findings = is_container(bytes, size) ? check_containers(argv[i], bytes, size)
                                                 : check_bvh(argv[i], bytes, size, (const ImportOptions *)&import);
        code = exit_code_worse(code, findings > 0);
        free(bytes);
    }
    return code;
}

const Verb verb_check = {
    .name = "check",
    .summary = "Say what is wrong with BVH files and containers",
    .arguments = "FILE...",
    .description = "Prints every finding with its line; exit code 1 if there is any.",
    .main = check_main,
};
