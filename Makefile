# kane: from motion-capture files to queryable joint torques. `make help` lists the targets.
BUILD   ?= build
.DEFAULT_GOAL := all
include needs.mk
# Another processor's: the prefix of its tools (aarch64-linux-gnu-), the folder of its libraries, what runs its programs.
CROSS   ?=
SYSROOT ?=
EMULATOR ?=
ifeq ($(origin CC),default)
CC      := $(CROSS)gcc $(SYSROOT:%=--sysroot=%)
endif
ifneq ($(CROSS),)
AR      := $(CROSS)ar
LD      := $(CROSS)ld
endif
NM      := $(CROSS)nm
OBJCOPY := $(CROSS)objcopy
OBJDUMP := $(CROSS)objdump
export EMULATOR
# V=1 prints the commands.
V       ?= 0
ifeq ($(V),1)
Q       :=
say     = @:
else
Q       := @
say     = @echo "  $(1)"
endif
# CFLAGS, and after them COLD_OPT or HOT_OPT by folder or file: compiles in half the time of -O3, at its speed.
OPT     ?= -O2 -g1
COLD_OPT ?= -O1
COLD    := pipeline/% formats/% $(addprefix analysis/,mannequin/% control/% body/% detect/% stats/%)
HOT_OPT ?= -O3
HOT     := $(addprefix analysis/,base/% math/% solve/% repair/pose_steps.c motion/joint_motion.c model/model_motion.c contact/contact_program.c contact/limb_program.c \
    quality/trust_marks.c signal/power_spectrum.c sim/contact_rows.c sim/hold.c sim/island% sim/scene_islands.c sim/shape_contact.c) \
    formats/base/number.c formats/base/number_run.c
KERNEL_OPT ?= $(HOT_OPT)
# For kernels of other widths than scalar, after KERNEL_OPT.
WIDE_OPT ?=
# For tests, after OPT: they compile in a third of the time.
TEST_OPT ?= -O0
PREFIX  ?= /usr/local
# Parallel builds and tests.
JOBS    ?= $(shell nproc)
# CFLAGS of make coverage and asan, and of tests/checks/mutants.py. -O1 for all files would double the compile time.
SANITIZE := -O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
WIDTH_avx512 := 8
WIDTH_avx2   := 4
WIDTH_pair   := 2
WIDTH_scalar := 1
# Kernels are compiled once per width: AVX2 and, for other processors and clips of a few frames, scalar. WIDTHS=all, of
# packages and of the tests of widths, adds AVX-512 and SSE2.
ALL_WIDTHS := $(if $(filter x86_64,$(MACHINE)),avx512 avx2) pair scalar
WIDTHS  ?= $(if $(filter x86_64,$(MACHINE)),avx2,pair) scalar
KERNEL_WIDTHS := $(if $(filter all,$(WIDTHS)),$(ALL_WIDTHS),$(WIDTHS))
lanes_built = -DLANES_BUILT="(0$(foreach w,$(1),|$(WIDTH_$(w))))"
LANES_BUILT := $(call lanes_built,$(KERNEL_WIDTHS))
# -ffp-contract=off: bitwise identical results for all compilers, optimisation levels and vector widths
# (docs/performance.md "The same bits").
ifeq ($(origin CFLAGS),undefined)
CFLAGS  := $(OPT)
else
COLD    :=
endif
OPT_OF   = $(if $(filter $(HOT),$<),$(HOT_OPT),$(if $(filter $(COLD),$<),$(COLD_OPT)))
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
KANE_CFLAGS := -std=c17 -D_GNU_SOURCE -fno-math-errno -ffp-contract=off -fvisibility=hidden -fPIC -I. -I$(BUILD) $(LANES_BUILT) $(WARN) $(CFLAGS)
# mold, where it is installed, links in a tenth of the time.
ifeq ($(origin LDFLAGS),undefined)
LDFLAGS := $(shell $(CC) -fuse-ld=mold -Wl,--version 2>/dev/null | grep -q '^mold' && echo -fuse-ld=mold)
endif
HDF5_CFLAGS := -I$(SYSROOT)/usr/include/hdf5/serial
HDF5_LIBS   := -L$(SYSROOT)/usr/lib/$(MACHINE)-linux-gnu/hdf5/serial -lhdf5
# libhdf5 is loaded when the first clip file is read (formats/base/hdf5_calls.h); tests link it.
LIBS    := -lsqlite3 -lsleef -lcrypto -lexpat -lxxhash -lz -ldl -lm

KERNELS := $(wildcard analysis/*/*_kernel.c)
# kane.so, the SQLite extension: its entry point, and the only file that calls SQLite through the host's API table.
EXTENSION := formats/frames/frames_extension.c formats/frames/frames_table.c
SOURCES := $(filter-out $(KERNELS) formats/frames/frames_extension.c,$(wildcard analysis/*/*.c formats/*/*.c pipeline/stages/*.c))
PROGRAM := $(wildcard pipeline/cli/*.c pipeline/cli/*/*.c)
$(foreach p,$(HOT) $(COLD),$(if $(filter $(p),$(SOURCES)),,$(error HOT, COLD: $(p) is no source)))
PUBLIC  := $(wildcard library/*.c)
# Printed by kane --version --verbose; "unknown" outside a git checkout.
COMMIT  := $(shell test -e .git && GIT_OPTIONAL_LOCKS=0 git describe --always --tags --dirty 2>/dev/null || cat generated/commit.txt 2>/dev/null || echo unknown)
VERSION := $(shell sed -n 's/.*KANE_VERSION "\(.*\)"/\1/p' analysis/base/version.h)
# Increase when a program linked with the previous library cannot run with this one.
SONAME  := libkane.so.1
TESTS   := $(wildcard tests/*/test_*.c tests/*/*/test_*.c)

ISA_avx512 := -DLANES=8 -mavx512f -mavx512dq -mprefer-vector-width=512
ISA_avx2   := -DLANES=4 -mavx2
ISA_pair   := -DLANES=2
ISA_scalar := -DLANES=1

# Tables of data/ that are compiled in.
TABLES  := roles role_marks anthropometry units unit_model contact contact_spread cutoff roll_over segment_spread \
    strength strength_athlete strength_envelope verdict mjcf_words uncertainty plates shaking trust rigs

# libkane_scene.a: scenes, simulation and tracking, and the stages that read or list them. It calls functions of
# libkane.a, which links without it (tests/package/test_without_scenes.c).
SCENES  := $(wildcard $(addsuffix /*.c,analysis/model analysis/sim analysis/control formats/model)) \
    $(addprefix formats/tables/,gain_table.c push_table.c scene_tables.c soft_joint_table.c speed_table.c target_table.c) \
    $(addprefix pipeline/stages/,history_rerun.c scene_file.c scene_run.c simulate.c simulate_options.c simulate_torques.c stage_list.c) \
    $(wildcard pipeline/stages/track*.c pipeline/stages/live*.c)
SCENE_OBJECTS := $(SCENES:%.c=$(BUILD)/%.o)
ARCHIVES := $(BUILD)/libkane_scene.a $(BUILD)/libkane.a
OBJECTS := $(TABLES:%=$(BUILD)/data/%.o) $(SOURCES:%.c=$(BUILD)/%.o) $(foreach w,$(KERNEL_WIDTHS),$(KERNELS:%.c=$(BUILD)/%_$(w).o))
# One program per folder: build/tests/unit/contact_tests test_ground runs tests/unit/contact/test_ground.c.
TEST_FOLDERS := $(patsubst %/,%,$(sort $(dir $(TESTS))))
TEST_PROGRAMS := $(TEST_FOLDERS:%=$(BUILD)/%_tests)
FUZZ_PROGRAMS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCH_PROGRAMS := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))

all: $(BUILD)/kane $(BUILD)/kane.so $(BUILD)/kane-scene ## build the program (default target)

help: ## list the targets
	@awk -F':.*## ' '/^[a-z0-9_-]+:.*## /{printf "  make %-21s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BUILD)/kane: $(PROGRAM:%.c=$(BUILD)/%.o) $(ARCHIVES)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS)

# The program with an additional motion format, for tests/cli/takes.sh.
$(BUILD)/kane-walks: $(PROGRAM:%.c=$(BUILD)/%.o) $(BUILD)/tests/cli/walks_format.o $(ARCHIVES)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS) -lcmocka

$(BUILD)/kane.so: $(EXTENSION:%.c=$(BUILD)/extension/%.o) $(BUILD)/libkane.a
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,--no-undefined -Wl,--as-needed -o $@ $^ $(LDFLAGS) $(filter-out -lsqlite3,$(LIBS))

# The helper program that reads FBX and Collada files with libassimp, which it loads (scene_helper/).
HELPER  := $(wildcard scene_helper/*.c)
$(BUILD)/kane-scene: $(HELPER:%.c=$(BUILD)/%.o) $(BUILD)/libkane.a
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) -Wl,--as-needed $(LIBS)
$(BUILD)/scene_helper/assimp_calls.o: KANE_CFLAGS += -DKANE_ASSIMP='"$(shell cat $(BUILD)/assimp.soname)"'
$(BUILD)/scene_helper/assimp_calls.o: $(BUILD)/assimp.soname
# Tests find the helper here, from whatever folder they run.
export KANE_LIBEXEC ?= $(abspath $(BUILD))

# Objects depend on the widths that they choose from.
$(BUILD)/widths.txt: always
	@mkdir -p $(@D)
	@echo "$(KERNEL_WIDTHS)" | cmp -s - $@ || echo "$(KERNEL_WIDTHS)" > $@

$(BUILD)/extension/%.o: %.c $(BUILD)/widths.txt
	@mkdir -p $(@D)
	$(call say,cc $< for kane.so)
	$(Q)$(CC) $(KANE_CFLAGS) $(OPT_OF) $(HDF5_CFLAGS) -DKANE_EXTENSION -MMD -MP -c -o $@ $<

$(BUILD)/libkane_scene.a: $(SCENE_OBJECTS)
$(BUILD)/libkane.a: $(filter-out $(SCENE_OBJECTS),$(OBJECTS))
$(ARCHIVES):
	$(call say,ar $@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/widths.txt
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(CC) $(KANE_CFLAGS) $(OPT_OF) $(if $(filter formats/% tests/%,$<),$(HDF5_CFLAGS)) -MMD -MP -c -o $@ $<

# Embeds the page of kane report if it has been built; otherwise npm is not required.
# generated/ is in source archives.
PAGE    := $(firstword $(wildcard $(BUILD)/report.html build/report.html generated/report.html))
ifneq ($(PAGE),)
$(BUILD)/formats/report/report_page.o: KANE_CFLAGS += -DKANE_PAGE='"$(PAGE)"'
$(BUILD)/formats/report/report_page.o: $(PAGE)
endif

# Nothing but the dependency on a library that is loaded when needed: its soname is read from it, and dpkg-shlibdeps
# finds the package.
LOADED_hdf5   := $(HDF5_LIBS)
LOADED_assimp := $(SYSROOT:%=-L%/usr/lib/$(MACHINE)-linux-gnu) -lassimp
$(BUILD)/hdf5.so $(BUILD)/assimp.so: $(BUILD)/%.so:
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,--no-as-needed -o $@ -x c /dev/null -x none $(LDFLAGS) $(LOADED_$*)

$(BUILD)/%.soname: $(BUILD)/%.so
	$(Q)$(OBJDUMP) -p $< | awk '$$1 == "NEEDED" && /$*/ {print $$2}' > $@
	$(Q)test -s $@ || { echo "make: $(LOADED_$*) is no shared library" >&2; exit 1; }

$(BUILD)/formats/base/hdf5_calls.o: KANE_CFLAGS += -DKANE_HDF5='"$(shell cat $(BUILD)/hdf5.soname)"'
$(BUILD)/formats/base/hdf5_calls.o: $(BUILD)/hdf5.soname

$(BUILD)/pipeline/cli/main.o: KANE_CFLAGS += -DKANE_COMMIT='"$(COMMIT)"'
$(BUILD)/pipeline/cli/main.o: $(BUILD)/commit.txt
$(BUILD)/commit.txt: always
	@mkdir -p $(@D)
	@echo "$(COMMIT)" | cmp -s - $@ || echo "$(COMMIT)" > $@

TABLE_roles         := -v types=sen -v row=RoleWord -v array=role_words -v enum=ROLE_ -v header=analysis/body/role_name.h
TABLE_role_marks    := -v types=se -v row=RoleMark -v array=role_marks -v enum=MARK_ -v header=analysis/body/role_name.h
TABLE_rigs          := -v types=sse -v row=RigRow -v array=rig_rows -v enum=ROLE_ -v header=analysis/body/rig.h
TABLE_units         := -v types=snnnn -v row=UnitRow -v array=unit_rows -v header=analysis/detect/unit.h
TABLE_unit_model    := -v types=en -v enum=UNIT_ -v row=UnitModelRow -v array=unit_model_rows -v header=analysis/detect/unit.h
TABLE_anthropometry := -v types=eennnnnn -v enum=SEGMENT_,SEX_ -v row=SegmentRow -v array=segment_rows -v header=analysis/body/segment_table.h
TABLE_mjcf_words    := -v types=sses -v enum=MJCF_ -v row=MjcfWord -v array=mjcf_words -v header=formats/model/mjcf_word.h
TABLE_contact_spread := -v types=sn -v struct=ContactSpread -v list=1 -v array=contact_spread \
    -v header=analysis/contact/contact_spread.h
TABLE_roll_over     := -v types=sn -v struct=RollOver -v list=1 -v array=roll_over -v header=analysis/contact/roll_over.h
TABLE_segment_spread := -v types=en -v enum=PART_ -v row=PartSpread -v array=part_spreads -v header=analysis/contact/mass_fit.h
TABLE_uncertainty   := -v types=enn -v enum=SPREAD_ -v row=SpreadSize -v array=spread_sizes \
    -v header=analysis/uncertainty/spread_terms.h
TABLE_strength      := -v types=eennnnnnnnnnn -v enum=STRENGTH_,SEX_ -v row=AverageCurve -v array=strength_average \
    -v header=analysis/angles/strength_curve.h
TABLE_strength_athlete := -v types=ennnnnnnn -v enum=STRENGTH_ -v row=PersonCurve -v array=strength_athlete \
    -v header=analysis/angles/strength_curve.h
TABLE_strength_envelope := -v types=ennnnnnn -v enum=STRENGTH_ -v index_by=1 -v row=StrengthEnvelope \
    -v array=strength_envelope -v header=analysis/angles/strength_curve.h
TABLE_plates        := -v types=ennnnnnnnn -v enum=PLATES_ -v index_by=1 -v row=PlateSound -v array=plate_sound \
    -v header=analysis/contact/plate_errors.h
TABLE_trust         := -v types=sn -v struct=TrustLimits -v array=trust_limits -v header=analysis/quality/trust_limits.h
TABLE_shaking       := -v types=sn -v struct=ShakingLimits -v array=shaking_limits \
    -v header=analysis/quality/shaking_limits.h
TABLE_verdict       := -v types=sn -v struct=VerdictLimits -v array=verdict_limits \
    -v header=analysis/stats/verdict_limits.h
TABLE_cutoff        := -v types=sn -v struct=CutoffConstants -v array=cutoff_constants -v header=analysis/signal/cutoff.h
TABLE_contact       := -v types=sn -v struct=ContactConstants -v list=1 -v array=contact_constants \
    -v header=analysis/contact/contact_constants.h

# One table of all rigs: a file's first line is the rig's name, a colon and what it is.
$(BUILD)/data/rigs.tsv: $(wildcard data/rigs/*.tsv)
	@mkdir -p $(@D)
	$(Q)awk 'BEGIN { print "rig\tjoint\trole" } FNR == 1 { rig = substr($$0, 3, index($$0, ":") - 3) } \
	    FNR > 2 { print rig "\t" $$1 "\t" ($$2 == "-" ? "none" : $$2) }' $^ > $@

$(BUILD)/data/rigs.c: $(BUILD)/data/rigs.tsv scripts/tsv_to_c.awk Makefile
	$(call say,table data/rigs)
	$(Q)LC_ALL=C awk $(TABLE_rigs) -f scripts/tsv_to_c.awk $< > $@

$(BUILD)/data/%.c: data/%.tsv scripts/tsv_to_c.awk Makefile
	@mkdir -p $(@D)
	$(call say,table $<)
	$(Q)LC_ALL=C awk $(TABLE_$*) -f scripts/tsv_to_c.awk $< > $@

.PRECIOUS: $(BUILD)/data/%.c
$(BUILD)/data/%.o: $(BUILD)/data/%.c
	$(Q)$(CC) $(KANE_CFLAGS) -MMD -MP -c -o $@ $<

define kernel_rule
$$(BUILD)/%_kernel_$(1).o: %_kernel.c $$(BUILD)/widths.txt
	@mkdir -p $$(@D)
	$$(call say,cc $$< for $(1))
	$$(Q)$$(CC) $$(KANE_CFLAGS) $$(ISA_$(1)) $$(KERNEL_OPT) $(if $(filter scalar,$(1)),,$$(WIDE_OPT)) -Wno-psabi -MMD -MP -c -o $$@ $$<
endef
$(foreach w,$(KERNEL_WIDTHS),$(eval $(call kernel_rule,$(w))))

# Libraries that test programs link besides kane.
include tests/links.mk
LIBRARY_OF = $(or $(LIBRARY_$(notdir $@)),$(ARCHIVES))
LINK_OF    = $(LINK_$(notdir $@))
# Renames the main of each test, so that a folder's tests link into one program.
$(TESTS:%.c=$(BUILD)/%.o): $(BUILD)/%.o: %.c $(BUILD)/widths.txt
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(CC) $(KANE_CFLAGS) $(TEST_OPT) $(HDF5_CFLAGS) -MMD -MP -c -o $@ $<
	$(Q)$(OBJCOPY) --redefine-sym main=$(basename $(@F))_main $@

define folder_rule
$$(BUILD)/$(1)_tests: tests/support/folder_tests.c $(patsubst %.c,$$(BUILD)/%.o,$(filter $(1)/%,$(TESTS))) $$(ARCHIVES)
	$$(call say,link $$@)
	$$(Q)$$(CC) $$(KANE_CFLAGS) -DTESTS="$(patsubst $(1)/%.c,TEST(%),$(filter $(1)/%,$(TESTS)))" -o $$@ \
	    $$(filter-out %.a,$$^) $$(LIBRARY_OF) $$(LDFLAGS) -lcmocka $$(LINK_OF) $$(LIBS)
endef
$(foreach f,$(TEST_FOLDERS),$(eval $(call folder_rule,$(f))))

$(BUILD)/tests/%: tests/%.c $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(CC) $(KANE_CFLAGS) $(HDF5_CFLAGS) -MMD -MP -o $@ $< $(LIBRARY_OF) $(LDFLAGS) -lcmocka $(LINK_OF) $(LIBS)

$(BUILD)/tests/unit/library_tests: $(BUILD)/package/libkane.a

# PROGRAM NAME per test.
CALLS    = $(foreach t,$(1),$(BUILD)/$(patsubst %/,%,$(dir $(t)))_tests $(basename $(notdir $(t))))
test-programs: $(TEST_PROGRAMS)

unit-tests: test-programs ## build and run the cmocka tests
	@printf '%s %s\n' $(call CALLS,$(TESTS)) | xargs -P $(JOBS) -n 2 tests/unit/run.sh
	@echo "unit-tests: $(words $(TESTS)) files passed"

# Statistics over many recordings: half the processor time of all tests under the sanitizers, and no line of their own.
REAL_TESTS := $(wildcard tests/real/test_*.c)
real-tests: $(BUILD)/tests/real_tests ## run those of them that score decisions on real recordings
	@printf '%s %s\n' $(call CALLS,$(REAL_TESTS)) | xargs -P $(JOBS) -n 2 tests/unit/run.sh
	@echo "real-tests: $(words $(REAL_TESTS)) files passed"

# T=lcp: test_lcp of any folder; T=unit/contact: all tests of that folder; T=batch: the transcript tests/cli/batch.sh.
T       ?=
TESTS_OF_T = $(filter %/test_$(T).c tests/$(T)/%,$(TESTS))
test: ## build and run one test: make test T=lcp, a folder of tests T=unit/solve, or the transcript T=batch
	@calls="$(call CALLS,$(TESTS_OF_T))"; if [ -n "$$calls" ]; then \
	$(MAKE) $(sort $(filter $(BUILD)/%,$(call CALLS,$(TESTS_OF_T)))) && printf '%s %s\n' $$calls | xargs -n 2 env; \
	elif [ -f "tests/cli/$(T).sh" ]; then $(MAKE) all $(BUILD)/kane-walks && tests/cli/run.sh $(BUILD)/kane $(T); \
	else echo "make test T=NAME: no tests/**/test_$(T).c and no tests/cli/$(T).sh" >&2; exit 2; fi

cli-tests: all $(BUILD)/kane-walks ## compare printed output with the golden transcripts
	tests/cli/run.sh $(BUILD)/kane

interop: $(BUILD)/tests/interop/write_sample $(BUILD)/kane $(BUILD)/package/$(SONAME) ## open clip files and exports with h5py, xarray, ncdump, numpy and Blender
	tests/interop/test_netcdf.py $<
	tests/interop/test_ground_forces.py $(BUILD)/kane
	tests/interop/test_opensim.py $(BUILD)/kane
	tests/interop/test_trust_statistics.py $(BUILD)/kane
	tests/interop/test_python_module.py $(BUILD)/kane
	tests/interop/test_blender.sh $(BUILD)/kane data/walk.bvh data/jump.bvh

gltf-tests: $(BUILD)/kane ## glTF files before Khronos's validator (npm), in three.js and in Blender
	tests/gltf/run.sh $(BUILD)/kane $(BUILD)

$(BUILD)/kane_clips.zip: $(wildcard scripts/blender/kane_clips/*.py)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,zip $@)
	$(Q)python3 -m zipfile -c $@ scripts/blender/kane_clips

blender-addon: $(BUILD)/kane_clips.zip ## build/kane_clips.zip, for Blender's Preferences > Add-ons > Install

blender-tests: $(BUILD)/kane $(BUILD)/kane_clips.zip ## test the add-on in Blender without a window
	tests/blender/run.sh $^

page: ## build the page of kane report, build/report.html (npm)
	web/report/build.sh $(BUILD)/report.html

page-tests: $(BUILD)/kane $(BUILD)/tests/bench/synthetic_library ## open pages of kane report in Chromium (npm)
	tests/page/run.sh $^

include web/build.mk

groundtruth: $(BUILD)/kane $(BUILD)/tests/groundtruth/contact_forces $(BUILD)/tests/groundtruth/plate_measures ## score estimated ground contact against force plates and on real clips
	tests/groundtruth/test_contact_groundtruth.py $<
	tests/groundtruth/test_angles.py $<
	tests/groundtruth/test_strength.py $<
	tests/groundtruth/test_verdict.py $<
	tests/groundtruth/test_contact_kinds.py $(BUILD)
	tests/groundtruth/test_plates.py $(BUILD)
	tests/groundtruth/test_contact_clips.sh $<
	tests/real/test_retime.py $<

renamed: $(BUILD)/kane ## torques under other names, orders of joints and axes
	tests/evidence/renamed.sh $<

lost-rows: $(BUILD)/kane ## what single lost rows of recordings do to the torques
	tests/evidence/lost_rows.py $< 8

# Hand-written words of README.md and docs/ (CONTRIBUTING.md): a later set of additions raises the bound by at most 1,500.
WORDS_MAX := 47000
DOCUMENTS := README.md CONTRIBUTING.md SECURITY.md data/README.md $(shell find docs -name '*.md' | sort)
docs: $(BUILD)/kane $(BUILD)/tests/docs/print_schema $(BUILD)/package/$(SONAME) ## run the commands of the documentation and compare output; check names, links, spelling
	tests/docs/readme_queries.sh $<
	tests/docs/formats.sh $<
	tests/docs/troubleshooting.sh
	tests/docs/test_reference.sh $(wordlist 1,2,$^)
	tests/docs/reference.py --check $(wordlist 1,2,$^)
	tests/docs/test_documents.sh
	tests/docs/printed_output.py --check $< $(DOCUMENTS)
	tests/docs/test_check_figures.sh
	tests/docs/check_figures.py README.md docs/tutorial.md $(filter docs/howto/%,$(DOCUMENTS))
	tests/checks/check_spelling.py $(DOCUMENTS)
	tests/docs/count_words.py --max $(WORDS_MAX) $(filter README.md docs/%,$(DOCUMENTS))
	tests/checks/test_check_version.sh $<
	tests/checks/test_check_words.sh $<
	tests/checks/check_words.py $< README.md research/README.md $(filter docs/%,$(DOCUMENTS))

printed-output: $(BUILD)/kane $(BUILD)/package/$(SONAME) pictures ## run the commands of the documentation, write their output and draw the pictures
	tests/docs/printed_output.py $< $(DOCUMENTS)

reference: $(BUILD)/kane $(BUILD)/tests/docs/print_schema $(BUILD)/package/$(SONAME) ## update the generated parts of docs/formats/, docs/commands.md and docs/sources.md
	tests/docs/reference.py $(wordlist 1,2,$^)
	tests/sources/run.py --write $<

pushes: $(BUILD)/kane ## sixty pushes on characters that stand, squat, walk, turn and kick, judged from the files written
	tests/reaction/test_pushes.py $< --steps 0.01,0.005,0.002,0.001
.PHONY: pushes

sources: $(BUILD)/kane $(BUILD)/package/$(SONAME) ## run every item of docs/sources.md and compare its value with its bound
	tests/sources/test_run.sh
	tests/sources/run.py $<
	tests/sources/test_other_axes.py $<

# LD_PRELOAD shims that make system calls fail.
SHIMS := $(patsubst tests/faults/%.c,$(BUILD)/tests/faults/%.so,$(filter-out tests/faults/test_%,$(wildcard tests/faults/*.c)))
$(BUILD)/tests/faults/%.so: tests/faults/%.c
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -Wno-missing-prototypes -O1 -fPIC -shared -o $@ $< -ldl

FAULTS_FORM ?=
faults: $(BUILD)/kane $(SHIMS) ## kills, failing writes, full disks, damaged files: no data lost, no partial output
	tests/faults/run.sh $(FAULTS_FORM) $(BUILD)/kane $(BUILD)/tests/faults

# Shared motion files from other programs, if present.
SHARED  := $(or $(KANE_SHARED),../shared)
check-long: $(BUILD)/kane ## checks too long for CI: full lint and asan, unit tests of the release build and of clang's, the long forms of faults, page tests, fuzzers and Slurm, Blender, arm64, the Debian packages
	scripts/setup.sh long
	KANE_ALLOCATIONS=1 $(MAKE) lint asan
	$(MAKE) -j$(JOBS) unit-tests unoptimized
	$(MAKE) -j$(JOBS) BUILD=$(BUILD)-clang CC=clang all unit-tests
	tests/real/same_bits.sh $(BUILD)/kane $(BUILD)-clang/kane
	$(MAKE) FAULTS_FORM=--long faults
	KANE_PAGE_LONG=1 $(MAKE) page-tests
	KANE_SEAMS=all tests/cli/run.sh $(BUILD)/kane seams
	$(MAKE) gltf-tests blender-tests lost-rows
	$(MAKE) fuzz
	$(MAKE) package package-tests cluster-tests
	tests/cluster/slurm.sh $(BUILD)/kane 200 8
	tests/cluster/died.sh $(BUILD)/kane
	scripts/setup.sh arm64
	$(MAKE) arm64-tests
	tests/package/run.sh $(BUILD) --debian
	tests/package/run.sh $(BUILD) --debian arm64
	$(MAKE) -j$(JOBS) WEB_CLIPS="$(wildcard data/*.bvh $(addprefix $(SHARED)/mocap/,*.bvh */*.bvh))" web-tests

functions: ## check parameters, null-check ladders, line length, includes, header names, names of tests
	tests/checks/test_check_functions.sh
	tests/checks/check_functions.py
	tests/checks/test_check_test_names.sh
	tests/checks/check_test_names.py

lint: ## gcc -fanalyzer, clang-tidy, cppcheck, functions: no finding
	tests/checks/lint.sh $(BUILD)-lint

lint-quick: $(BUILD)/kane ## cppcheck
	LINT_QUICK=1 tests/checks/lint.sh $(BUILD)

# One build with AddressSanitizer, UndefinedBehaviorSanitizer and gcov. Of the tests, and of kernels in other widths than
# scalar, AddressSanitizer alone watches the arrays: they compile in half the time.
ARRAYS_ONLY := -fno-sanitize=undefined -fno-profile-arcs -fno-test-coverage
SANITIZED = BUILD=$(BUILD)-asan WIDTHS=all HOT_OPT=-O1 CFLAGS="$(SANITIZE) --coverage" WIDE_OPT="$(ARRAYS_ONLY)" \
    TEST_OPT="-O0 $(ARRAYS_ONLY)"
# The child process that reads a clip file is limited to 0.5 s of CPU time, which the default quarantine of 256 MB
# exceeds.
export ASAN_OPTIONS ?= quarantine_size_mb=8:malloc_context_size=8
# Under the sanitizers every fifth allocation fails, from a random first one (tests/faults/test_allocation.c).
coverage: export KANE_ALLOCATIONS ?= 5
# Least line coverage by the unit tests and these transcripts, which read and write the formats of other programs, %.
COVERAGE ?= 90
FORMAT_TRANSCRIPTS := scene_files collada fbx c3d c3d_motion opensim amc plates export export_opensim
coverage: $(BUILD)/kane $(BUILD)/kane-scene ## run the unit tests but real-tests, transcripts of other formats, and kane on the start of each clip, under the sanitizers; check line coverage (gcov)
	scripts/setup.sh test
	@mkdir -p $(BUILD)-asan && find $(BUILD)-asan -name "*.gcda" -delete # from an older build
	$(MAKE) -j$(JOBS) $(SANITIZED) TESTS="$(filter-out $(REAL_TESTS),$(TESTS))" unit-tests $(BUILD)-asan/kane
	cp $(BUILD)/kane-scene $(BUILD)-asan/ # its own limit of memory is below what AddressSanitizer reserves
	tests/cli/run.sh $(BUILD)-asan/kane $(FORMAT_TRANSCRIPTS)
	tests/checks/coverage.py $(BUILD)-asan $(COVERAGE) analysis formats
	tests/real/same_bits.sh --frames 120 $< $(BUILD)-asan/kane

asan: coverage ## run unit tests and transcripts under AddressSanitizer and UndefinedBehaviorSanitizer
	$(MAKE) -j$(JOBS) $(SANITIZED) real-tests cli-tests

# Mutations are drawn by SEED per folder; copies of the tree are changed and built.
SEED  ?= 1
COUNT ?= 60
mutants: ## mutation test: COUNT mutations drawn by SEED; percentage detected by unit tests and transcripts
	tests/checks/mutants.py --seed $(SEED) --count $(COUNT) --jobs $(JOBS) $(BUILD)-mutants

mutants-check: ## what mutants.py does before it runs tests: copies, dry builds, one test with counters, one changed object
	tests/checks/mutants.py --check --jobs $(JOBS) $(BUILD)-mutants-check

samples: ## check that the clips of data/ match their generator
	data/make_samples.py --check

pictures: $(BUILD)/kane ## draw the pictures of the README
	data/make_pictures.sh $< $(BUILD)

layers: $(OBJECTS) $(PROGRAM:%.c=$(BUILD)/%.o) $(PUBLIC:%.c=$(BUILD)/%.o) ## check includes, circles of calls, that only pipeline/cli prints, and that names in comments and docs/ exist
	tests/checks/test_check_layers.sh
	tests/checks/check_layers.sh
	tests/checks/test_check_calls.sh
	@NM=$(NM) tests/checks/check_calls.py $(BUILD) $^
	tests/checks/test_check_comments.sh
	tests/checks/check_comments.py

# Compiled without inlining, so that each call is a reference; the page calls no function of analysis/. Its compiler may
# be another one, so that same-bits compares two.
REACH_CC ?= $(CC)
$(BUILD)-reach/kane: always
	$(MAKE) -j$(JOBS) BUILD=$(BUILD)-reach CC="$(REACH_CC)" WIDTHS=all HOT_OPT= CFLAGS="-O0 -ffunction-sections" PAGE= $@ >/dev/null

reach: $(BUILD)-reach/kane ## check that each function of analysis/ is reachable from a command
	LIBS="$(LIBS)" tests/checks/reach.sh $(BUILD)-reach $(firstword $(filter-out ccache,$(REACH_CC)))

same-bits: $(BUILD)/kane $(BUILD)-reach/kane ## check that programs with and without optimisation, and every vector width, write the same bytes
	tests/real/same_bits.sh --frames 240 $^

unoptimized: reach same-bits ## reach and same-bits

# Compiled without optimisation, so that gcov counts each source line; runs one clip from BVH to its index row.
measure: ## measure the sources: size, headers, functions, include cycles, files run for one clip
	$(MAKE) -j$(JOBS) BUILD=$(BUILD)-measure HOT_OPT= CFLAGS="-O0 --coverage" PAGE= $(BUILD)-measure/kane >/dev/null
	@find $(BUILD)-measure -name "*.gcda" -delete && mkdir -p $(BUILD)-measure/clip && rm -f $(BUILD)-measure/clip/*
	$(BUILD)-measure/kane run data/walk.bvh -o $(BUILD)-measure/clip/walk.h5 2>/dev/null
	$(BUILD)-measure/kane index $(BUILD)-measure/clip/index.db $(BUILD)-measure/clip/walk.h5
	tests/checks/measure.py --entered $(BUILD)-measure

demo: ## install dependencies, build, run all stages on data/, query the index, write report pages
	scripts/setup.sh demo
	$(MAKE) page || echo "demo: there is no page of kane report: the rest goes on without"
	$(MAKE) all
	scripts/demo.sh $(BUILD)

# Single-process checks: run in parallel.
small-checks:
	$(MAKE) -j$(JOBS) --output-sync layers functions samples docs sources examples interop groundtruth renamed
	tests/checks/test_setup.sh
	tests/checks/test_needs.sh
	tests/checks/test_check_workflows.sh

# What runs side by side, the longest first. .ci/run adds what needs another build of kane, or a browser.
CHECKS ?= cli-tests unit-tests small-checks package-tests cluster-tests
check: ## install test dependencies, build, run all tests that need no other build
	scripts/setup.sh test
	$(MAKE) -j$(JOBS) all package
	tests/checks/side_by_side.sh $(MAKE) $(CHECKS)

ci: ## what a change must pass: .ci/run
	.ci/run

arm64-tests: $(BUILD)/kane ## cross-compile kane for arm64, run its unit tests and compare its bytes with x86-64, under qemu-user
	tests/arm64/run.sh $< $(BUILD)-arm64

# The installed library: exports only the functions of library/kane.h.
LIBRARY_OBJECTS := $(OBJECTS) $(PUBLIC:%.c=$(BUILD)/%.o)
$(BUILD)/package/$(SONAME): $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--no-undefined -o $@ $^ $(LDFLAGS) $(LIBS)

$(BUILD)/package/libkane.a: $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(call say,ar $@)
	$(Q)$(LD) -r -o $(BUILD)/package/libkane.o $^
	$(Q)$(OBJCOPY) --localize-hidden $(BUILD)/package/libkane.o
	@rm -f $@
	$(Q)$(AR) rcs $@ $(BUILD)/package/libkane.o

# Man pages and completions are generated from the program's option tables.
$(BUILD)/package/man/kane.1: $(BUILD)/kane
	@mkdir -p $(@D)
	@rm -f $(@D)/kane-*.1 # of renamed commands
	$(call say,man $(@D))
	$(Q)$(EMULATOR) $< --man > $@
	$(Q)for v in $$($(EMULATOR) $< --complete | cut -f 1); do $(EMULATOR) $< $$v --man > $(@D)/kane-$$v.1 || exit 1; done

$(BUILD)/package/kane.%: $(BUILD)/kane scripts/completions.sh scripts/completions.awk
	@mkdir -p $(@D)
	$(call say,completion $@)
	$(Q)scripts/completions.sh $* $< > $@

PACKAGE := $(addprefix $(BUILD)/package/,$(SONAME) libkane.a man/kane.1 kane.bash kane.zsh)
package: $(BUILD)/kane $(BUILD)/kane.so $(BUILD)/kane-scene $(BUILD)/assimp.so $(PACKAGE)

# LIBDIR and ZSHDIR are relative to PREFIX; distributions set their own.
LIBDIR  ?= lib
ZSHDIR  ?= share/zsh/site-functions
# Directory in which Debian's Python searches modules under this prefix.
PYTHONDIR ?= lib/python$(if $(filter /usr,$(PREFIX)),3,$(shell python3 -c \
    'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo 3))/dist-packages
install: package ## install into $(DESTDIR)$(PREFIX): program, kane.so, libkane, header, Python module, man pages, completions, samples
	scripts/install.sh $(BUILD) "$(DESTDIR)" "$(PREFIX)" "$(LIBDIR)" "$(ZSHDIR)" "$(PYTHONDIR)" $(VERSION) \
	    $(SONAME) "$(subst $(SYSROOT),,$(LIBS))"

examples: $(BUILD)/kane $(BUILD)/package/$(SONAME) ## run the demonstration and the programs of examples/ on data/
	scripts/demo.sh $(BUILD) >/dev/null
	tests/examples/run.sh $^

package-tests: ## install into a temporary folder, build the example against it, test completion
	tests/package/run.sh $(BUILD)
	tests/package/wheel.sh $(BUILD)

cluster-tests: $(BUILD)/kane ## run an array job and a merge on a local Slurm
	tests/cluster/slurm.sh $<
	tests/cluster/parallel.sh $<
	tests/cluster/snakemake.sh $<

# Benchmarks print rows `name value unit`.
$(BUILD)/bench/%: tests/bench/%.c $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(CC) $(KANE_CFLAGS) $(HDF5_CFLAGS) -MMD -MP -o $@ $< $(ARCHIVES) $(LDFLAGS) $(LINK_OF) $(LIBS)

fit-uncertainty: all test-programs $(BUILD)/tests/groundtruth/uncertainty_terms ## fit the torque uncertainty to the trials of $KANE_SHARED (FIT=--full: both methods)
	$(Q)/usr/bin/python3 research/fit_uncertainty.py --build $(BUILD) --write $(FIT)

bench: ## install what the benchmarks need, build and run them: rows `name value unit`
	@scripts/setup.sh bench >&2
	@$(MAKE) --no-print-directory bench-rows

bench-rows: $(BENCH_PROGRAMS) $(BUILD)/kane
	@for b in $(BENCH_PROGRAMS); do $$b || exit 1; done
	@tests/bench/bench_run.sh $(BUILD)/kane
	@tests/bench/bench_growth.sh $(BUILD)/kane

bench-presets: $(BUILD)/kane $(BUILD)/tests/bench/synthetic_library ## presets, merge and bytes of an index of CLIPS synthetic clips (10000), nine runs each
	@tests/bench/bench_presets.sh $^ $(CLIPS)

bench-scenes: $(BUILD)/bench/bench_scenes ## compare a step of kane with mj_step on piles, an arm and a humanoid (libmujoco)
	@$<

bench-record: ## run make bench and append its rows to docs/bench.tsv
	@scripts/setup.sh bench >&2
	@$(MAKE) --no-print-directory $(BENCH_PROGRAMS) $(BUILD)/kane >&2
	tests/bench/record.sh docs/bench.tsv $(MAKE) -s --no-print-directory bench-rows

# A fuzzer fuzz_NAME starts from tests/fuzz/corpus_NAME; new inputs stay in the build folder.
FUZZ_SECONDS ?= 60
fuzz: $(BUILD)/kane-scene ## fuzz each parser of untrusted input for a minute (clang)
	$(MAKE) -j$(JOBS) BUILD=$(BUILD)-fuzz CC=clang HOT_OPT=-O1 LDFLAGS=-fsanitize=fuzzer \
	    CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" fuzz-programs

$(BUILD)/fuzz/%: tests/fuzz/%.c $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(CC) $(KANE_CFLAGS) $(HDF5_CFLAGS) -MMD -MP -o $@ $< $(ARCHIVES) $(LDFLAGS) $(LIBS)

fuzz-programs: $(FUZZ_PROGRAMS)
	@printf '%s\n' $(FUZZ_PROGRAMS) | xargs -P $(JOBS) -n 1 tests/fuzz/run.sh $(FUZZ_SECONDS)

clean: ## remove build outputs
	rm -rf $(BUILD)

include release.mk

-include $(shell test -d $(BUILD) && find $(BUILD) -name '*.d')
.PHONY: all always ci lost-rows real-tests arm64-tests fit-uncertainty measure mutants mutants-check reach same-bits unoptimized help test page page-tests pictures docs sources reference printed-output unit-tests test-programs cli-tests interop gltf-tests blender-addon blender-tests groundtruth renamed faults check-long lint lint-quick small-checks coverage layers samples demo check asan package install package-tests cluster-tests bench bench-rows bench-presets bench-scenes bench-record examples fuzz fuzz-programs functions clean
.DELETE_ON_ERROR:
