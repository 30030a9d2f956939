/* formats/container/output_rule: which files an output may replace. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/container/output_rule.h"
#include "formats/container/source_mark.h"
#include "formats/container/container_store.h"
#include "tests/support/test.h"
#include "tests/support/sample_clip.h"
#include "tests/support/test_folder.h"

static const char *put(TestFolder *folder, const char *name, const char *text)
{
    const char *path = test_folder_file(folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static Status ask(const char *path, FileKind kind)
{
    return output_allowed(path, &(OutputClaim){.kind = kind}, NULL);
}

static Status ask_with(const char *path, const OutputClaim *claim, int forced)
{
    OutputClaim full = *claim;
    full.forced = forced;
    return output_allowed(path, &full, NULL);
}

TEST(file_of_the_same_kind_may_be_replaced)
{
    TestFolder folder = test_folder_make();
    (void)state;
    assert_int_equal(ask(test_folder_file(&folder, "none"), FILE_TEXT), STATUS_OK);
    assert_int_equal(ask(put(&folder, "table", "a\tb\n"), FILE_TEXT), STATUS_OK);
    assert_int_equal(ask(put(&folder, "empty", ""), FILE_BVH), STATUS_OK);
    assert_int_equal(ask(put(&folder, "page", "<!DOCTYPE html>"), FILE_PAGE), STATUS_OK);
    assert_int_equal(ask(put(&folder, "table", "a\tb\n"), FILE_PAGE), STATUS_BAD_INPUT);
    assert_int_equal(ask(put(&folder, "take", "HIERARCHY\n"), FILE_TEXT), STATUS_BAD_INPUT);
    assert_int_equal(ask_with(put(&folder, "take", "HIERARCHY\n"), &(OutputClaim){.kind = FILE_TEXT}, 1), STATUS_OK);
    test_folder_remove(&folder);
}

/* By inode: another name and a hard link are the same file. */
TEST(input_file_is_kept)
{
    TestFolder folder = test_folder_make();
    char first[512], second[512];
    (void)state;
    snprintf(first, sizeof first, "%s", put(&folder, "first", "a\tb\n"));
    snprintf(second, sizeof second, "%s", test_folder_file(&folder, "./second"));
    assert_int_equal(link(first, second), 0);
    OutputClaim claim = {.kind = FILE_TEXT, .input = (const char *[]){"nowhere", first}, .input_count = 2};
    assert_int_equal(ask_with(first, &claim, 0), STATUS_USAGE);
    assert_int_equal(ask_with(second, &claim, 0), STATUS_USAGE);
    assert_int_equal(ask_with(first, &claim, 1), STATUS_OK);
    assert_int_equal(ask_with(second, &claim, 1), STATUS_USAGE); /* force names the input itself */
    claim.input_count = 1;
    assert_int_equal(ask_with(first, &claim, 0), STATUS_OK);
    test_folder_remove(&folder);
}

TEST(links_and_folders_are_kept_when_forced)
{
    TestFolder folder = test_folder_make();
    char link_path[512];
    (void)state;
    snprintf(link_path, sizeof link_path, "%s", test_folder_file(&folder, "link"));
    assert_int_equal(symlink("table", link_path), 0);
    for (int forced = 0; forced < 2; forced++) {
        assert_int_equal(ask_with(folder.path, &(OutputClaim){.kind = FILE_TEXT}, forced), STATUS_BAD_INPUT);
        assert_int_equal(ask_with(link_path, &(OutputClaim){.kind = FILE_TEXT}, forced), STATUS_BAD_INPUT);
        put(&folder, "table", "a\tb\n"); /* the link was dangling before */
    }
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(symlink("/dev/null", link_path), 0);
    assert_int_equal(ask(link_path, FILE_TEXT), STATUS_OK);
    assert_int_equal(ask("/dev/full", FILE_PNG), STATUS_OK);
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(symlink(".", link_path), 0);
    assert_int_equal(ask(test_folder_file(&folder, "link/table"), FILE_TEXT), STATUS_OK);
    test_folder_remove(&folder);
}

TEST(clip_file_of_another_source_is_kept)
{
    TestFolder folder = test_folder_make();
    ContainerDef def = container_default_def();
    Clip clip;
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    const char *path = test_folder_file(&folder, "clip.h5");
    assert_int_equal(container_store(&clip, &def, path, NULL), STATUS_OK);
    Provenance same_name = {.source = clip.provenance.source}, moved = {.source = (char *)"moved.bvh"},
               other = {.source = (char *)"other.bvh", .source_sha256 = "00"};
    memcpy(moved.source_sha256, clip.provenance.source_sha256, sizeof moved.source_sha256);
    OutputClaim claim = {.kind = FILE_CONTAINER, .origin = &same_name};
    assert_int_equal(ask_with(path, &claim, 0), STATUS_OK);
    claim.origin = &moved;
    assert_int_equal(ask_with(path, &claim, 0), STATUS_OK);
    claim.origin = &other;
    assert_int_equal(ask_with(path, &claim, 0), STATUS_BAD_INPUT);
    assert_int_equal(ask_with(path, &claim, 1), STATUS_OK);
    strcpy(same_name.source_sha256, "00"); /* edited, or another file of that name: unknown */
    claim.origin = &same_name;
    assert_int_equal(ask_with(path, &claim, 0), STATUS_BAD_INPUT);
    assert_int_equal(ask_with(path, &claim, 1), STATUS_OK);
    claim.origin = &other;
    assert_int_equal(truncate(path, 5000), 0); /* useless to anybody */
    assert_int_equal(ask_with(path, &claim, 0), STATUS_OK);
    clip_free(&clip);
    test_folder_remove(&folder);
}

/* Whether the file system of a folder supports marks. */
static int keeps_places(TestFolder *folder)
{
    char place[PATH_HASH_SIZE];
    FILE *file = fopen(test_folder_file(folder, "placed"), "wb");
    assert_non_null(file);
    path_hash_put(fileno(file), "0123456789abcdef");
    fclose(file);
    path_hash_get(test_folder_file(folder, "placed"), place);
    return strcmp(place, "0123456789abcdef") == 0;
}

/* The source path distinguishes an edited source from another file of the same name. */
TEST(clip_file_of_equal_name_in_another_folder_is_kept)
{
    TestFolder folder = test_folder_make();
    ContainerDef def = container_default_def();
    Clip clip;
    Error err = {0};
    char here[PATH_HASH_SIZE], linked[PATH_HASH_SIZE], there[PATH_HASH_SIZE], path[512];
    (void)state;
    if (!keeps_places(&folder)) {
        test_folder_remove(&folder);
        print_message("no extended attributes here\n");
        skip();
    }
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    assert_int_equal(symlink("take", test_folder_file(&folder, "link")), 0);
    hash_path(put(&folder, "take", "a"), here);
    hash_path(test_folder_file(&folder, "./link"), linked);
    hash_path(put(&folder, "other", "b"), there);
    assert_string_equal(here, linked);
    assert_string_not_equal(here, there);
    hash_path(test_folder_file(&folder, "absent"), linked);
    assert_string_equal(linked, "");
    snprintf(path, sizeof path, "%s", test_folder_file(&folder, "clip.h5"));
    assert_int_equal(container_store(&clip, &def, path, NULL), STATUS_OK);
    FILE *file = fopen(path, "rb+");
    assert_non_null(file);
    path_hash_put(fileno(file), here);
    fclose(file);
    Provenance edited = {.source = clip.provenance.source, .source_sha256 = "00"};
    OutputClaim claim = {.kind = FILE_CONTAINER, .origin = &edited, .path_hash = here};
    assert_int_equal(ask_with(path, &claim, 0), STATUS_OK);
    claim.path_hash = there;
    assert_int_equal(output_allowed(path, &claim, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "of another folder"));
    claim.path_hash = NULL;
    assert_int_equal(output_allowed(path, &claim, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "with other bytes"));
    clip_free(&clip);
    test_folder_remove(&folder);
}

#define TAKE "HIERARCHY\nROOT a\nMOTION\nFrames: 2\nFrame Time: 0.1\n"

/* Whether the file system of a folder supports marks. */
static int keeps_marks(TestFolder *folder)
{
    OriginMark mark;
    const char *path = put(folder, "marked", TAKE);
    origin_mark_put(path, &(Provenance){.source = (char *)"a.bvh"});
    return origin_mark_get(path, &mark) == ORIGIN_MARK_GOOD && strcmp(mark.source, "a.bvh") == 0 &&
           !*mark.source_sha256;
}

/* A new folder; the test is skipped if it does not support marks. */
static TestFolder folder_with_marks(void)
{
    TestFolder folder = test_folder_make();
    if (!keeps_marks(&folder)) {
        test_folder_remove(&folder);
        print_message("no extended attributes here\n");
        skip();
    }
    return folder;
}

/* Another take may have the same joints and frame count. */
TEST(unmarked_bvh_is_replaced_by_equal_bytes_only)
{
    TestFolder folder = test_folder_make();
    char made[512];
    (void)state;
    snprintf(made, sizeof made, "%s", put(&folder, "made", TAKE "1 2\n"));
    Provenance origin = {.source = (char *)"a.bvh"};
    OutputClaim claim = {.kind = FILE_BVH, .made = made, .origin = &origin};
    assert_int_equal(ask_with(put(&folder, "old", TAKE "1 2\n"), &claim, 0), STATUS_OK);
    assert_int_equal(ask_with(put(&folder, "old", TAKE "3 4\n"), &claim, 0), STATUS_BAD_INPUT);
    assert_int_equal(ask_with(put(&folder, "old", TAKE "3 4\n"), &claim, 1), STATUS_OK);
    /* printf '...' | sha256sum, of made */
    strcpy(origin.source_sha256, "8791badd659e3608b931328471307b9944105d21570b02177e8ab5b05d5523e4");
    assert_int_equal(ask_with(put(&folder, "old", TAKE "1 2\n"), &claim, 0), STATUS_BAD_INPUT);
    test_folder_remove(&folder);
}

TEST(marked_bvh_is_replaced_by_one_of_its_source)
{
    TestFolder folder = folder_with_marks();
    char made[512], old[512];
    (void)state;
    snprintf(made, sizeof made, "%s", put(&folder, "made", TAKE "1 2\n"));
    snprintf(old, sizeof old, "%s", put(&folder, "old", TAKE "3 4\n"));
    Provenance origin = {.source = (char *)"a b.bvh", .source_sha256 = "0a"};
    Provenance edited = {.source = (char *)"a b.bvh", .source_sha256 = "0b"};
    Provenance renamed = {.source = (char *)"c.bvh", .source_sha256 = "0a"};
    Provenance other = {.source = (char *)"c.bvh", .source_sha256 = "0b"};
    OutputClaim claim = {.kind = FILE_BVH, .made = made};
    char place[PATH_HASH_SIZE];
    hash_path(made, place);
    FILE *file = fopen(old, "rb+");
    assert_non_null(file);
    path_hash_put(fileno(file), place);
    fclose(file);
    origin_mark_put(old, &origin);
    for (int i = 0; i < 5; i++) {
        claim.origin = (const Provenance *[]){&origin, &edited, &renamed, &other, &edited}[i];
        claim.path_hash = i < 4 ? place : "0123456789abcdef";
        assert_int_equal(ask_with(old, &claim, 0), i < 3 ? STATUS_OK : STATUS_BAD_INPUT);
        assert_int_equal(ask_with(old, &claim, 1), STATUS_OK);
    }
    claim.origin = &origin;
    put(&folder, "old", TAKE "3 5\n"); /* edited in place: the mark remains but no longer matches */
    assert_int_equal(ask_with(old, &claim, 0), STATUS_BAD_INPUT);
    test_folder_remove(&folder);
}

/* Without a mark a file is the user's: only the same bytes may replace it, whatever its columns are. */
TEST(text_of_a_user_is_kept)
{
    static const struct {
        FileKind kind;
        const char *old, *made;
        Status wanted;
    } cases[] = {
        {FILE_TEXT, "my notes\n", "a\tb\n1\t2\n", STATUS_BAD_INPUT},
        {FILE_TEXT, "# one\na\tb\n1\t2\n", "# two\n# three\na\tb\n3\t4\n", STATUS_BAD_INPUT},
        {FILE_TEXT, "a,b\n1,2\n", "a,b\n1,3\n", STATUS_BAD_INPUT},
        {FILE_TEXT, "# a\n", "# a\n", STATUS_OK},
        {FILE_JSON, "{\"done\": 2}", "{\"done\": 1}", STATUS_BAD_INPUT},
        {FILE_OPENSIM, "a\nendheader\n1\n", "a\nendheader\n2\n", STATUS_BAD_INPUT},
        {FILE_SVG, "<svg>1", "<svg>2", STATUS_BAD_INPUT},
        {FILE_SVG, "<svg>1", "<svg>1", STATUS_OK},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TestFolder folder = test_folder_make();
        char made[512];
        snprintf(made, sizeof made, "%s", put(&folder, "made", cases[i].made));
        const char *old = put(&folder, "old", cases[i].old);
        OutputClaim claim = {.kind = cases[i].kind, .made = made};
        assert_int_equal(ask_with(old, &claim, 0), cases[i].wanted);
        assert_int_equal(ask_with(old, &claim, 1), STATUS_OK);
        test_folder_remove(&folder);
    }
}

/* Files made by kane are replaced until a user changes them, by outputs of the same source. */
TEST(marked_outputs_are_replaced_unless_changed)
{
    TestFolder folder = folder_with_marks();
    char made[512], old[512];
    (void)state;
    snprintf(made, sizeof made, "%s", put(&folder, "made", "a\tb\n"));
    snprintf(old, sizeof old, "%s", put(&folder, "old", "c\td\n1\t2\n"));
    Provenance one = {.source = (char *)"a.bvh", .source_sha256 = "0a"};
    Provenance other = {.source = (char *)"b.bvh", .source_sha256 = "0b"};
    OutputClaim claim = {.kind = FILE_TEXT, .made = made};
    assert_int_equal(ask_with(old, &claim, 0), STATUS_BAD_INPUT);
    origin_mark_put(old, NULL);
    assert_int_equal(ask_with(old, &claim, 0), STATUS_OK);
    claim.origin = &one;
    assert_int_equal(ask_with(old, &claim, 0), STATUS_BAD_INPUT);
    origin_mark_put(old, &one);
    assert_int_equal(ask_with(old, &claim, 0), STATUS_OK);
    claim.origin = &other;
    assert_int_equal(ask_with(old, &claim, 0), STATUS_BAD_INPUT);
    assert_int_equal(ask_with(old, &claim, 1), STATUS_OK);
    claim.origin = NULL;
    assert_int_equal(ask_with(old, &claim, 0), STATUS_BAD_INPUT); /* of no clip, over that of a clip */
    claim.made = NULL;
    assert_int_equal(ask_with(old, &claim, 0), STATUS_OK); /* the clip is not read yet */
    claim = (OutputClaim){.kind = FILE_TEXT, .made = made, .origin = &one};
    put(&folder, "old", "a\tb\n1\t3 my own\n");
    assert_int_equal(ask_with(old, &claim, 0), STATUS_BAD_INPUT);
    test_folder_remove(&folder);
}

/* The file of a clip with a group that the new clip lacks. */
TEST(richer_clip_is_kept)
{
    TestFolder folder = test_folder_make();
    ContainerDef def = container_default_def();
    Clip clip;
    Error err = {0};
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    const char *path = test_folder_file(&folder, "clip.h5");
    assert_int_equal(container_store(&clip, &def, path, NULL), STATUS_OK);
    OutputClaim claim = {.kind = FILE_CONTAINER, .origin = &clip.provenance, .clip = &clip};
    assert_true(clip.has_body);
    assert_int_equal(ask_with(path, &claim, 0), STATUS_OK);
    Clip poorer = clip;
    poorer.has_body = 0;
    claim.clip = &poorer;
    assert_int_equal(output_allowed(path, &claim, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "has /body"));
    assert_int_equal(ask_with(path, &claim, 1), STATUS_OK);
    clip_free(&clip);
    test_folder_remove(&folder);
}

TEST(read_only_file_is_kept_even_when_forced)
{
    TestFolder folder = test_folder_make();
    (void)state;
    const char *path = put(&folder, "table", "");
    OutputClaim claim = {.kind = FILE_TEXT};
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(ask_with(path, &claim, 0), STATUS_BAD_INPUT);
    assert_int_equal(ask_with(path, &claim, 1), STATUS_BAD_INPUT);
    assert_int_equal(output_updatable(path, NULL), STATUS_BAD_INPUT);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(ask_with(path, &claim, 0), STATUS_OK);
    test_folder_remove(&folder);
}

TEST(dangling_link_is_refused)
{
    TestFolder folder = test_folder_make();
    char link[512], there[512];
    (void)state;
    snprintf(there, sizeof there, "%s", test_folder_file(&folder, "there"));
    snprintf(link, sizeof link, "%s", test_folder_file(&folder, "link"));
    assert_int_equal(output_updatable(link, NULL), STATUS_OK);
    assert_int_equal(symlink(there, link), 0);
    assert_int_equal(output_updatable(link, NULL), STATUS_BAD_INPUT);
    put(&folder, "there", "x");
    assert_int_equal(output_updatable(link, NULL), STATUS_OK);
    assert_int_equal(output_updatable(there, NULL), STATUS_OK);
    test_folder_remove(&folder);
}
