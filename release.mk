# The files of a release: `make release` builds each part and tests it, in a bare root of Debian 12 where mmdebstrap makes
# one, and writes build/release/SHA256SUMS. Each part is a target of its own.
RELEASE   := $(BUILD)/release
# Address under which `make site` and the files of a release are published; README.md links there.
SITE      ?= https://kane.invalid
RELEASED  := kane-$(VERSION)
ARCHIVE_OF = $(RELEASE)/$(RELEASED)-linux-$(1).tar.xz
SOURCE_ARCHIVE := $(RELEASE)/$(RELEASED).tar.xz
# Every vector width, and the page of kane report.
RELEASE_OPTIONS = WIDTHS=all PAGE=$(abspath $(BUILD)/report.html)
CROSS_ROOT := $(abspath $(BUILD)-arm64-root)
CROSS_OPTIONS := CROSS=aarch64-linux-gnu- CC="aarch64-linux-gnu-gcc --sysroot=$(CROSS_ROOT)" SYSROOT=$(CROSS_ROOT) \
    EMULATOR="qemu-aarch64 -L $(CROSS_ROOT)" LDFLAGS=
RELEASE_PARTS := source page npm blender python-source linux-x86_64 linux-aarch64 deb deb-arm64 wheel wheel-aarch64 container

release: ## build and test everything that is published, in build/release with SHA256SUMS
	$(foreach part,$(RELEASE_PARTS),$(MAKE) -j$(JOBS) release-$(part) &&) true
	cd $(RELEASE) && rm -f SHA256SUMS && find . -maxdepth 1 -type f ! -name '.*' -printf '%f\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS
	@cd $(RELEASE) && ls -s --block-size=kB

# The builds that the parts contain.
release-build-x86_64: web
	$(MAKE) -j$(JOBS) BUILD=$(BUILD)-x86_64 $(RELEASE_OPTIONS) all package
release-build-aarch64: web
	scripts/setup.sh arm64 $(CROSS_ROOT)
	$(MAKE) -j$(JOBS) BUILD=$(BUILD)-aarch64 $(RELEASE_OPTIONS) $(CROSS_OPTIONS) all package

# The archives, made and not tested, for the parts that are made of them.
source-archive: web
	scripts/release/source.sh $(RELEASED) $(SOURCE_ARCHIVE) "$(COMMIT)" $(BUILD)/report.html $(BUILD)/kane.html
archive-x86_64: release-build-x86_64
	MAKE_OPTIONS='$(RELEASE_OPTIONS)' scripts/release/archive.sh $(BUILD)-x86_64 $(RELEASED)-linux-x86_64 \
	    $(call ARCHIVE_OF,x86_64)

release-source: source-archive ## the sources with the page built in
	tests/release/source.sh $(SOURCE_ARCHIVE)

release-page: web $(BUILD)/kane ## kane.html, which runs in a browser
	@mkdir -p $(RELEASE)
	cp $(BUILD)/kane.html $(RELEASE)/kane.html
	tests/release/page.sh $(BUILD)/kane $(RELEASE)

release-npm: web $(BUILD)/kane ## the package for JavaScript
	@mkdir -p $(RELEASE)
	cd $(RELEASE) && npm pack --silent $(abspath $(WEB))
	tests/release/npm.sh $(BUILD)/kane $(RELEASE)/kane-wasm-$(VERSION).tgz

release-blender: $(BUILD)/kane_clips.zip $(BUILD)/kane ## the add-on for Blender
	@mkdir -p $(RELEASE)
	cp $< $(RELEASE)/kane_clips-$(VERSION).zip
	tests/blender/run.sh $(BUILD)/kane $(RELEASE)/kane_clips-$(VERSION).zip

release-linux-x86_64: archive-x86_64 ## the archive for x86-64: the program with its libraries
	tests/release/archive.sh $(BUILD)-x86_64/kane $(call ARCHIVE_OF,x86_64) $(BUILD)

release-linux-aarch64: release-build-aarch64 $(BUILD)/kane ## the archive for arm64, cross-compiled
	MAKE_OPTIONS='$(RELEASE_OPTIONS) $(CROSS_OPTIONS)' scripts/release/archive.sh $(BUILD)-aarch64 $(RELEASED)-linux-aarch64 \
	    $(call ARCHIVE_OF,aarch64) $(CROSS_ROOT)
	tests/release/archive.sh $(BUILD)/kane $(call ARCHIVE_OF,aarch64) $(BUILD)

release-deb: source-archive $(BUILD)/kane ## packages for Debian 12
	scripts/release/debian.sh $(SOURCE_ARCHIVE) $(RELEASE) amd64
	tests/release/debian.sh $(BUILD)/kane $(RELEASE) $(VERSION) $(BUILD)

release-deb-arm64: source-archive $(BUILD)/kane ## packages for arm64, cross-compiled
	scripts/setup.sh arm64 $(CROSS_ROOT)
	scripts/release/debian.sh $(SOURCE_ARCHIVE) $(RELEASE) arm64 $(CROSS_ROOT)
	tests/release/arm64.sh $(BUILD)/kane $(CROSS_ROOT) $(RELEASE)/kane_$(VERSION)_arm64.deb

release-wheel: release-build-x86_64 ## the wheel for Python, with its libraries
	@mkdir -p $(RELEASE)
	scripts/release/wheel.py $(BUILD)-x86_64 $(RELEASE)
	tests/release/wheel.sh $(BUILD)-x86_64/kane $(RELEASE)/$(RELEASED)-py3-none-manylinux_2_36_x86_64.whl $(BUILD)

release-wheel-aarch64: release-build-aarch64 $(BUILD)/kane ## the wheel for arm64
	@mkdir -p $(RELEASE)
	scripts/release/wheel.py $(BUILD)-aarch64 $(RELEASE) $(CROSS_ROOT)
	scripts/release/check_wheel.py $(RELEASE)/$(RELEASED)-py3-none-manylinux_2_36_aarch64.whl
	tests/release/arm64.sh $(BUILD)/kane $(CROSS_ROOT) $(RELEASE)/$(RELEASED)-py3-none-manylinux_2_36_aarch64.whl

release-python-source: source-archive $(BUILD)/kane ## the sources of the Python package
	tests/release/sdist.sh $(BUILD)/kane $(SOURCE_ARCHIVE) $(RELEASE)

release-container: archive-x86_64 ## Containerfile, whose image is built from the archive alone
	cp Containerfile $(RELEASE)/
	tests/release/container.sh $(BUILD)-x86_64/kane $(RELEASE) $(VERSION) $(BUILD)

# The documents as HTML with search, kane.html, and the files of a release where they have been built.
$(BUILD)/site/index.html: $(DOCUMENTS) $(BUILD)/kane.html $(wildcard scripts/site/* $(RELEASE)/SHA256SUMS)
	rm -rf $(@D)
	scripts/site/build.py $(@D) $(SITE) $(BUILD)/kane.html $(dir $(wildcard $(RELEASE)/SHA256SUMS))

address: ## write the address SITE into the links of the documents
	sed -i "s|$$(sed -n 's/^SITE *?= //p' release.mk)|$(SITE)|g" release.mk README.md docs/howto/browser.md

site: $(BUILD)/site/index.html ## the documents as HTML with search, and kane.html, in build/site
	tests/site/run.sh $(BUILD)/site $(SITE)

.PHONY: address site release source-archive archive-x86_64 release-build-x86_64 release-build-aarch64 $(RELEASE_PARTS:%=release-%)
