/* Detects what a file is from its first bytes. C3D user guide, "The header section"; ISO/IEC 12113 (glTF); [MS-CFB]
 * (Excel); Acclaim's ASF and AMC as in the CMU library; OpenSim's TRC, MOT and STO. */
#include "formats/source/identify.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "formats/source/source_table.h"

/* A signature: bytes at the beginning of a file, or a word in it. */
typedef struct Beginning {
    const char *bytes;
    size_t size;
    FileKind kind;    /* FILE_OTHER: a format that kane does not write */
    const char *what; /* message if the file is given as motion, with advice; NULL: further detection needed */
} Beginning;

#define BEGINNING(bytes, kind, what) {(bytes), sizeof(bytes) - 1, (kind), (what)}
#define FOREIGN(bytes, what) BEGINNING(bytes, FILE_OTHER, what)
#define GLTF_FILE "a glTF file without its asset: export it again"
#define MARKERS "contains markers, no joints: solve a skeleton and export it as BVH"
#define ASF_FILE "an ASF skeleton (Acclaim): give its motion, the AMC file, in the same folder"
#define FOR_PLATES "for contact's --external"
#define OPENSIM_TABLE "an OpenSim table (MOT, STO)"
#define OPENSIM_DOCUMENT "an OpenSim document: give its motion, a MOT or STO file in the folder of the model"
#define C3D_FILE \
    "a C3D file, which " MARKERS "; then give this file " FOR_PLATES
#define USD_FILE "a USD file: export the take as BVH"
#define PACKED(by) "packed by " by ": unpack it first"
#define HTML_FILE "an HTML page: check the download"
#define PICKLE_FILE "a pickle of Python: write its motion as BVH"
#define TABLE_FILE "a table (CSV or TSV): convert its motion to BVH; give plate forces as a table " FOR_PLATES

/* Signatures at the first byte. */
static const Beginning signatures[] = {
    BEGINNING("glTF", FILE_GLB, GLTF_FILE),
    BEGINNING("\211HDF\r\n\032\n", FILE_CONTAINER,
              "an HDF5 file: already imported; use kane body, kane info, ..."),
    BEGINNING("PK\3\4", FILE_NPZ,
              "a zip archive (XLSX, NPZ and 3MF are, too): unpack it first, or write its motion as BVH"),
    FOREIGN("\223NUMPY", "an array of NumPy: write its motion as BVH"),
    FOREIGN("\37\213", PACKED("gzip")),
    FOREIGN("BZh", PACKED("bzip2")),
    FOREIGN("\3757zXZ", PACKED("xz")),
    FOREIGN("7z\274\257\47\34", PACKED("7-Zip")),
    FOREIGN("PXR-USDC", USD_FILE),
    FOREIGN("Ogawa", "an Alembic file: export the take as BVH"),
    FOREIGN("BLENDER", "a Blender file: export the armature as BVH (File > Export > Motion Capture)"),
    FOREIGN("Vocaloid Motion Data", "a VMD motion (MikuMikuDance): convert it with its model to BVH"),
    FOREIGN("\320\317\021\340\241\261\032\341",
            "an Excel workbook (XLS), or another OLE file: write its motion as BVH"),
    BEGINNING("SQLite format 3\0", FILE_INDEX, "an index (SQLite database): use kane query"),
    BEGINNING("\211PNG\r\n\032\n", FILE_PNG, "a PNG image: contains no motion"),
    FOREIGN("\200\2}", PICKLE_FILE),
    FOREIGN("\200\3}", PICKLE_FILE),
    FOREIGN("\200\4\225", PICKLE_FILE),
    FOREIGN("\200\5\225", PICKLE_FILE),
};

/* First words of text, after a byte order mark and white space. */
static const Beginning first_words[] = {
    BEGINNING("<!DOCTYPE html", FILE_PAGE, HTML_FILE),
    BEGINNING("<html", FILE_PAGE, HTML_FILE),
    BEGINNING("<?xml", FILE_SVG, NULL),
    BEGINNING("<svg", FILE_SVG, "an SVG image: contains no motion"),
    BEGINNING("set terminal", FILE_GNUPLOT, "a gnuplot script: contains no motion"),
    BEGINNING("{", FILE_JSON, NULL),
    FOREIGN(":version", ASF_FILE),
    FOREIGN("#USD", USD_FILE),
    FOREIGN("//Maya ASCII", "a Maya scene: export the take as BVH or FBX, and that as BVH from Blender"),
    FOREIGN("PathFileType", "a TRC file, which " MARKERS),
    FOREIGN("version https://git-lfs", "a pointer of Git LFS, not the file: run git lfs pull"),
};

/* Words anywhere in the first bytes of text that begins as given. */
static const struct {
    const char *begin;
    Beginning word;
} inside[] = {
    {"{", FOREIGN("\"meshes\"", GLTF_FILE)},
    {"{", FOREIGN("", "a JSON file: write its motion as BVH")},
    {"<", BEGINNING("<OpenSimDocument", FILE_OPENSIM, OPENSIM_DOCUMENT)},
    {"<", FOREIGN("<mvnx", "an MVNX file (Xsens): export the take as BVH from MVN")},
    {"<", FOREIGN("<mujoco", "an MJCF scene: kane simulate runs it")},
    {"<", FOREIGN("<robot", "a URDF model: contains no motion")},
    {"<", FOREIGN("<html", HTML_FILE)},
    {"[Header]", FOREIGN("htr", "an HTR file: convert it to BVH")},
    {"", BEGINNING("endheader", FILE_OPENSIM, OPENSIM_TABLE ": give the coordinates of a model")},
};

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

static const char *const kind_names[FILE_KIND_COUNT] = {
    [FILE_OTHER] = "an unknown file", [FILE_EMPTY] = "an empty file",
    [FILE_CONTAINER] = "a clip file",               [FILE_INDEX] = "an index",
    [FILE_BVH] = "a BVH file",                      [FILE_TEXT] = "a text file",
    [FILE_JSON] = "a JSON file",                    [FILE_OPENSIM] = "an OpenSim file",
    [FILE_NPZ] = "a zip archive",                   [FILE_GLB] = "a glTF file",
    [FILE_SVG] = "an SVG picture",                  [FILE_PNG] = "a PNG picture",
    [FILE_GNUPLOT] = "a gnuplot script",            [FILE_PAGE] = "an HTML page",
};

const char *file_kind_name(FileKind kind)
{
    return kind_names[kind];
}

/* Returns FILE_CONTAINER for a clip file. The superblock has the end address of the file: at byte 40 in version 0, at
 * byte 28 in versions 2 and 3 (HDF5 file format, "Superblock"). A truncated file counts as a clip file, because it
 * probably was one and can no longer be read. */
static FileKind kind_of_hdf5(const unsigned char *front, size_t count, unsigned long long size)
{
    static const char mark[] = "kane-1";
    uint64_t end = 0;
    int version = count > 8 ? front[8] : 0;
    size_t at = version == 0 ? 40 : 28;
    if (version == 1 || version > 3)
        return FILE_OTHER;
    for (size_t i = sizeof end; i-- > 0 && count >= at + sizeof end;)
        end = end << 8 | front[at + i];
    return end == 0 || end > size || memmem(front, count, mark, sizeof mark - 1) ? FILE_CONTAINER : FILE_OTHER;
}

static const Beginning *find_signature(const char *front, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(signatures); i++)
        if (size >= signatures[i].size && !memcmp(front, signatures[i].bytes, signatures[i].size))
            return &signatures[i];
    return NULL;
}

static const Beginning *find_word(const char *text, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(first_words); i++)
        if (size >= first_words[i].size && !strncasecmp(text, first_words[i].bytes, first_words[i].size))
            return &first_words[i];
    return NULL;
}

static const Beginning *find_inside(const char *text, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(inside); i++) {
        size_t begin = strlen(inside[i].begin);
        const Beginning *word = &inside[i].word;
        if (size >= begin && !strncmp(text, inside[i].begin, begin) && memmem(text, size, word->bytes, word->size))
            return word;
    }
    return NULL;
}

static size_t skip_blanks(const char *text, size_t size, size_t at)
{
    while (at < size && text[at] && strchr(" \t\r\n", text[at]))
        at++;
    return at;
}

/* Returns the offset after a byte order mark and white space. */
static size_t begin_of_text(const char *front, size_t size)
{
    return skip_blanks(front, size, size >= 3 && !memcmp(front, "\357\273\277", 3) ? 3 : 0);
}

static size_t end_of_line(const char *text, size_t size, size_t at)
{
    const char *end = memchr(text + at, '\n', size - at);
    return end ? (size_t)(end - text) : size;
}

/* ---- Formats that kane writes ---- */

static FileKind kind_of_text(const char *front, size_t count)
{
    size_t at = begin_of_text(front, count);
    const Beginning *found = find_word(front + at, count - at);
    const Beginning *within = find_inside(front + at, count - at);
    int is_told = within && (!found || found->kind == FILE_OTHER || (!found->what && within->kind != FILE_OTHER));
    if (is_told)
        found = within;
    return found && found->kind != FILE_OTHER ? found->kind : FILE_TEXT;
}

FileKind detect_file_kind(const void *front, size_t count, unsigned long long size)
{
    const Beginning *found = find_signature(front, count);
    const SourceFormat *source = source_of_front(front, count);
    if (size == 0)
        return FILE_EMPTY;
    if (source)
        return source->kind;
    if (found)
        return found->kind == FILE_CONTAINER ? kind_of_hdf5(front, count, size) : found->kind;
    return memchr(front, 0, count) ? FILE_OTHER : kind_of_text(front, count);
}

/* ---- Formats of other programs ---- */

/* Returns 1 for a C3D file: byte 2 identifies it, byte 1 is the number of the 512-byte block where its parameters
 * begin, and their fourth byte is the processor type. */
static int is_c3d(const char *front, size_t size)
{
    size_t at = size < 2 ? 0 : 512 * ((size_t)(unsigned char)front[0] - 1) + 3;
    return size >= 512 && front[0] && front[1] == 'P' && at < size && front[at] >= 84 && front[at] <= 86;
}

static int has_digit(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] >= '0' && text[i] <= '9')
            return 1;
    return 0;
}

static int has_control_character(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < ' ' && !strchr("\t\r\n\v\f", text[i] ? text[i] : ' '))
            return 1;
    return 0;
}

/* Returns 1 for two lines of text with the same separator that contain numbers. */
static int is_table(const char *text, size_t size)
{
    size_t end = end_of_line(text, size, 0), next = skip_blanks(text, size, end), last = end_of_line(text, size, next);
    if (has_control_character(text, size))
        return 0;
    for (const char *separator = ",;\t"; *separator; separator++)
        if (memchr(text, *separator, end) && memchr(text + next, *separator, last - next))
            return has_digit(text, last);
    return 0;
}

/* Text in UTF-16 may be motion: its reader reports the encoding. */
static int is_utf16(const char *front, size_t size)
{
    return size >= 2 && (memcmp(front, "\xFF\xFE", 2) == 0 || memcmp(front, "\xFE\xFF", 2) == 0);
}

static const char *foreign_text(const char *text, size_t size)
{
    const Beginning *found = find_inside(text, size);
    return found ? found->what : is_table(text, size) ? TABLE_FILE : NULL;
}

const char *foreign_file(const char *front, size_t size)
{
    size = size < FILE_FRONT_SIZE ? size : FILE_FRONT_SIZE;
    const Beginning *found = find_signature(front, size);
    if (source_of_front(front, size) || is_utf16(front, size))
        return NULL;
    if (found || is_c3d(front, size))
        return found ? found->what : C3D_FILE;
    size_t at = begin_of_text(front, size);
    while (at < size && !(found = find_word(front + at, size - at)) && front[at] == '#')
        at = skip_blanks(front, size, end_of_line(front, size, at));
    if (at >= size || source_of_front(front + at, size - at)) /* motion, whatever words it contains */
        return NULL;
    return found && found->what ? found->what : foreign_text(front + at, size - at);
}
