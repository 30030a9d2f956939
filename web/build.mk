# kane in WebAssembly: what `kane run` requires, compiled with Debian's emscripten.
EMCC      ?= emcc
WEB_OPT   ?= -O2
WEB       := $(BUILD)/web
WASM      := $(BUILD)/wasm
# JavaScript tools of emcc as packaged by Debian.
WEB_ENV   := NODE_PATH=/usr/share/nodejs
# The compiler that emcc, a Python script, would start for each file, with the flags it would pass; asked for once.
WEB_CC     = $(eval WEB_CC := $(shell em-config LLVM_ROOT)/clang $(shell $(WEB_ENV) $(EMCC) --cflags -msimd128 -msse2))$(WEB_CC)
WEB_CFLAGS := -std=c17 -D_GNU_SOURCE -fno-math-errno -ffp-contract=off -ffunction-sections -fdata-sections \
    -Iweb/include -I$(WASM)/include -I. -I$(BUILD) -DXXH_INLINE_ALL $(call lanes_built,pair scalar) $(WARN) $(WEB_OPT)
# Left out: reading clip files (libhdf5), code that requires SQLite, the archive of scenes, the helper program that reads
# FBX, OpenSim's models (libexpat), and arrays in a file.
WEB_FORMATS := bvh amc gltf fbx collada
WEB_CFLAGS += -D'SOURCES(SOURCE)=$(foreach f,$(WEB_FORMATS),SOURCE($(f)))'
WEB_OUT   := formats/base/scratch_file.c pipeline/stages/clip_memory.c formats/base/xml_tree.c $(wildcard formats/opensim/*.c) formats/scene_file/scene_child.c formats/base/libraries.c formats/base/hdf5_calls.c formats/report/report_library.c formats/report/report_answer.c formats/report/thumbnail.c $(wildcard formats/plot/*.c) \
    $(filter-out %/container_check.c %/container_checksum.c %/container_lean.c %_encode.c,$(wildcard formats/container/*.c)) \
    $(SCENES) $(wildcard formats/frames/*.c) \
    $(filter-out %/index_schema.c %/index_columns.c %/path_words.c %/index_rows.c,$(wildcard formats/index/*.c)) \
    $(filter-out %/query_presets.c,$(wildcard formats/query/*.c)) \
    $(wildcard formats/picture/*.c)
WEB_SOURCES := $(filter-out $(WEB_OUT),$(SOURCES)) pipeline/cli/message.c $(wildcard web/*.c)
WEB_OBJECTS := $(TABLES:%=$(WASM)/data/%.o) $(WEB_SOURCES:%.c=$(WASM)/%.o) \
    $(foreach w,pair scalar,$(KERNELS:%.c=$(WASM)/%_$(w).o))
WEB_HEADERS := $(addprefix $(WASM)/include/,xxhash.h zlib.h zconf.h)
WEB_LINK  := -sMODULARIZE=1 -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=0 -sENVIRONMENT=web,worker -sFORCE_FILESYSTEM=1 -sALLOW_MEMORY_GROWTH=1 \
    -sEXPORTED_RUNTIME_METHODS=FS,ENV,ccall,UTF8ToString -sEXPORTED_FUNCTIONS=_free -sWASM_BIGINT=1 -sDYNAMIC_EXECUTION=0

# Debian headers that do not depend on the architecture. A static pattern: make deletes what an implicit rule made on the
# way, and would compile again for the new copy.
$(WEB_HEADERS): $(WASM)/include/%.h: /usr/include/%.h
	@mkdir -p $(@D)
	$(Q)cp -L $< $@

$(WASM)/data/%.o: $(BUILD)/data/%.c | $(WEB_HEADERS)
	@mkdir -p $(@D)
	$(Q)$(WEB_CC) $(WEB_CFLAGS) -MMD -MP -c -o $@ $<

$(WASM)/%.o: %.c | $(WEB_HEADERS)
	@mkdir -p $(@D)
	$(call say,wasm $<)
	$(Q)$(WEB_CC) $(WEB_CFLAGS) -MMD -MP -c -o $@ $<

# Called from JavaScript only.
$(WASM)/web/%.o: WEB_CFLAGS += -Wno-missing-prototypes

define web_kernel_rule
$$(WASM)/%_kernel_$(1).o: %_kernel.c | $$(WEB_HEADERS)
	@mkdir -p $$(@D)
	$$(call say,wasm $$< for $(1))
	$$(Q)$$(WEB_CC) $$(WEB_CFLAGS) $$(filter -DLANES=%,$$(ISA_$(1))) -MMD -MP -c -o $$@ $$<
endef
$(foreach w,pair scalar,$(eval $(call web_kernel_rule,$(w))))

$(WASM)/kane_module.js $(WASM)/kane_module.wasm &: $(WEB_OBJECTS) web/build.mk
	$(call say,link $(WASM)/kane_module.wasm)
	$(Q)$(WEB_ENV) $(EMCC) $(WEB_OPT) -msimd128 $(WEB_OBJECTS) -o $(WASM)/kane_module.js $(WEB_LINK)

$(WEB)/kane.wasm: $(WASM)/kane_module.wasm
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(WEB)/%.js: $(WASM)/%.js
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(WEB)/%: web/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

# The page: program, worker, viewer and samples in one file.
MODULES := web/report/node_modules
$(BUILD)/kane.html: $(wildcard web/page/* web/report/*.*) $(WEB)/kane.js $(WEB)/kane.wasm $(WEB)/kane_module.js
	web/report/build.sh $(BUILD)/report.html
	node web/page/build.mjs $(MODULES) $(WEB) $(BUILD)/report.html $@ data/walk.bvh data/jump.bvh data/squat.bvh

web: $(BUILD)/kane.html $(addprefix $(WEB)/,kane.wasm kane_module.js kane.js kane.d.ts package.json) ## build kane in WebAssembly and its page, build/kane.html (emscripten, npm)

# Clips on which kane.wasm is compared with the program.
WEB_CLIPS ?= $(wildcard data/*.bvh)
web-tests: $(BUILD)/kane web ## compare kane in WebAssembly with the program (Node); open its page in Chromium
	tests/web/run.sh $(BUILD)/kane $(WEB) $(WEB_CLIPS)
.PHONY: web web-tests
