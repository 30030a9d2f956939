/* Formats by their first bytes: C3D user guide, "The header section"; ISO/IEC 12113 (glTF); Acclaim's ASF and AMC as
 * CMU's library has them; OpenSim's TRC, MOT and STO. */
#include "formats/base/foreign_file.h"

#include <string.h>
#include <strings.h>

typedef struct Kind {
    const char *word;
    size_t size;
    const char *what;
} Kind;

#define KIND(word, what) {(word), sizeof(word) - 1, (what)}
#define BLENDER_BVH "from Blender (File > Export > Motion Capture)"
#define FBX_FILE "an FBX file: export the take as BVH from the program that made it, or " BLENDER_BVH
#define GLTF_FILE "a glTF file: export the take as BVH, " BLENDER_BVH
#define MARKERS "holds markers, no joints: solve a skeleton from them and export it as BVH"
#define ASF_FILE "an ASF skeleton (Acclaim): convert it with its AMC file to BVH, for example in MotionBuilder"
#define AMC_FILE "an AMC motion (Acclaim): convert it with its ASF skeleton to BVH, for example in MotionBuilder"
#define FOR_PLATES "for contact's --external"
#define OPENSIM_TABLE \
    "an OpenSim table (MOT, STO): import needs the joints as BVH; ground forces go into a table " FOR_PLATES
#define USD_FILE "a USD file: export the take as BVH"
#define PACKED(by) "packed by " by ": unpack it first"

/* What the very first bytes are. */
static const Kind signatures[] = {
    KIND("Kaydara FBX Binary", FBX_FILE),
    KIND("glTF", GLTF_FILE),
    KIND("\211HDF", "an HDF5 file: containers go to the stages behind import (kane body, kane info)"),
    KIND("PK\3\4", "a zip archive, or arrays of NumPy (.npz): unpack it first, or write its motion as BVH"),
    KIND("\223NUMPY", "an array of NumPy: write its motion as BVH"),
    KIND("\37\213", PACKED("gzip")),
    KIND("BZh", PACKED("bzip2")),
    KIND("\3757zXZ", PACKED("xz")),
    KIND("7z\274\257\47\34", PACKED("7-Zip")),
    KIND("PXR-USDC", USD_FILE),
    KIND("Ogawa", "an Alembic file: export the take as BVH"),
    KIND("BLENDER", "a Blender file: export the armature as BVH (File > Export > Motion Capture)"),
    KIND("Vocaloid Motion Data", "a VMD motion (MikuMikuDance): convert it with its model to BVH"),
    KIND("SQLite format 3", "an index of kane's, or another SQLite database"),
    KIND("\200\2}", "a pickle of Python: write its motion as BVH"),
    KIND("\200\3}", "a pickle of Python: write its motion as BVH"),
    KIND("\200\4\225", "a pickle of Python: write its motion as BVH"),
    KIND("\200\5\225", "a pickle of Python: write its motion as BVH"),
};

/* First words of text, behind blanks; a line of a comment that is none of these is passed over. */
static const Kind first_words[] = {
    KIND("; FBX", FBX_FILE),
    KIND("#!OML:ASF", AMC_FILE),
    KIND(":FULLY-SPECIFIED", AMC_FILE),
    KIND(":version", ASF_FILE),
    KIND("#USD", USD_FILE),
    KIND("//Maya ASCII", "a Maya scene: export the take as BVH or FBX, and that as BVH from Blender"),
    KIND("PathFileType", "a TRC file, which " MARKERS),
    KIND("version https://git-lfs", "a pointer of Git LFS, not the file: run git lfs pull"),
};

/* What stands somewhere in the front of text that begins with one of these. */
static const struct {
    const char *begin, *word, *what;
} inside[] = {
    {"{", "\"asset\"", GLTF_FILE},
    {"{", "\"meshes\"", GLTF_FILE},
    {"{", "", "a JSON file: write its motion as BVH"},
    {"<", "<OpenSimDocument", "an OpenSim document: import needs the motion as BVH"},
    {"<", "<COLLADA", "a COLLADA file: export the take as BVH, " BLENDER_BVH},
    {"<", "<mvnx", "an MVNX file (Xsens): export the take as BVH from MVN"},
    {"<", "<mujoco", "an MJCF scene: kane simulate runs it"},
    {"<", "<robot", "a URDF model: no motion is in it"},
    {"<", "<html", "an HTML page, no motion: look at what was downloaded"},
    {"[Header]", "htr", "an HTR file: convert it to BVH"},
    {"", "endheader", OPENSIM_TABLE},
    {"Coordinates", "", OPENSIM_TABLE},
};

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

/* A C3D file says in byte 2 what it is, and in byte 1 in which block of 512 bytes its parameters begin; their fourth
 * byte is the processor. */
static int is_c3d(const char *front, size_t size)
{
    size_t at = size < 2 ? 0 : 512 * ((size_t)(unsigned char)front[0] - 1) + 3;
    return size >= 512 && front[0] && front[1] == 'P' && at < size && front[at] >= 84 && front[at] <= 86;
}

static const char *find_kind(const Kind *kind, size_t count, const char *at, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (size >= kind[i].size && !strncasecmp(at, kind[i].word, kind[i].size))
            return kind[i].what;
    return NULL;
}

static size_t skip_blanks(const char *text, size_t size, size_t at)
{
    while (at < size && text[at] && strchr(" \t\r\n", text[at]))
        at++;
    return at;
}

static size_t end_of_line(const char *text, size_t size, size_t at)
{
    const char *end = memchr(text + at, '\n', size - at);
    return end ? (size_t)(end - text) : size;
}

static const char *find_inside(const char *text, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(inside); i++) {
        size_t begin = strlen(inside[i].begin), word = strlen(inside[i].word);
        if (size >= begin && !strncmp(text, inside[i].begin, begin) && memmem(text, size, inside[i].word, word))
            return inside[i].what;
    }
    return NULL;
}

const char *foreign_file(const char *front, size_t size)
{
    const char *found = find_kind(signatures, COUNT_OF(signatures), front, size);
    size = size < FOREIGN_FRONT_SIZE ? size : FOREIGN_FRONT_SIZE;
    if (found || is_c3d(front, size))
        return found ? found : "a C3D file, which " MARKERS "; forces of its plates go into a table " FOR_PLATES;
    size_t at = skip_blanks(front, size, size >= 3 && !memcmp(front, "\357\273\277", 3) ? 3 : 0);
    if (size - at >= strlen("HIERARCHY") && !strncasecmp(front + at, "HIERARCHY", strlen("HIERARCHY")))
        return NULL; /* BVH, whatever words are in it */
    while (at < size && !(found = find_kind(first_words, COUNT_OF(first_words), front + at, size - at)) &&
           front[at] == '#')
        at = skip_blanks(front, size, end_of_line(front, size, at));
    return found || at >= size ? found : find_inside(front + at, size - at);
}
