# Scopa Arena.  `make help` lists what can be made.

VERSION := $(shell sed -n 's/^.define VERSION_NUMBER "\(.*\)"/\1/p' \
	arena/version.h)
SONAME = libscopa.so.0

MODE ?= release
ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(MODE),release)
BUILD ?= build
else
BUILD ?= build/$(MODE)
endif
PREFIX ?= /usr/local
DESTDIR ?=
NM ?= nm
FUZZ_SECONDS ?= 60
FUZZ_JOBS ?= 2
FUZZ_TARGETS ?=

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# Modes: what each adds for the compiler, and for the linker.
MODES = release debug san cover fuzz profile
ifeq ($(filter $(MODE),$(MODES)),)
$(error MODE=$(MODE) is none of: $(MODES))
endif
FRAME = -Wframe-larger-than=262144
HARDEN = -D_FORTIFY_SOURCE=2 -fstack-protector-strong
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
MODE_release = -O2 -g $(FRAME)
MODE_debug = -O0 -g3 $(FRAME)
MODE_san = -O1 -g $(SANITIZE)
MODE_cover = -O0 -g --coverage
MODE_fuzz = -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
MODE_profile = -O0 -g -fprofile-instr-generate -fcoverage-mapping
# What an assertion says of our bugs nothing can reach.
ROOM_profile = -DNDEBUG
LINK_release = -Wl,-z,relro,-z,now
LINK_san = $(SANITIZE)
LINK_cover = --coverage
LINK_fuzz = $(SANITIZE)
LINK_profile = -fprofile-instr-generate

# The rules are compiled for speed.
EXTRA_engine = $(if $(filter release,$(MODE)),-O3)

# Without this every count of the cards of a set would be a function call.
ifeq ($(shell uname -m),x86_64)
ARCH ?= -mpopcnt
endif

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wcast-qual -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wformat=2 \
	-Wswitch-enum -Wnull-dereference -Wimplicit-fallthrough \
	-Wdouble-promotion $(if $(filter 1,$(WERROR)),-Werror)
LANGUAGE = -std=c11 -D_GNU_SOURCE
FLAGS = $(LANGUAGE) $(MODE_$(MODE)) $(ARCH) $(WARNINGS) \
	-ffile-prefix-map=$(CURDIR)=. $(CFLAGS)
LINK = -pthread $(LINK_$(MODE)) $(LDFLAGS)

# Libraries of the system.
LIBRARIES = libsodium libbsd sqlite3 inih libseccomp
TEST_LIBRARIES = cmocka
PKG_CONFIG ?= pkg-config
LIBRARY_FLAGS := $(shell $(PKG_CONFIG) --cflags $(LIBRARIES) 2>/dev/null)
LIBRARY_LINK := $(shell $(PKG_CONFIG) --libs $(LIBRARIES) 2>/dev/null)
TEST_FLAGS := $(shell $(PKG_CONFIG) --cflags $(TEST_LIBRARIES) 2>/dev/null)
TEST_LINK := $(shell $(PKG_CONFIG) --libs $(TEST_LIBRARIES) 2>/dev/null)

# Rooms: folder, archive, and the only folders whose headers a room may see.
ROOMS = engine referee host statistics record arena tournament report cli \
	policy search client players faulty tune
FOLDER_engine = engine
FOLDER_referee = arena/referee
FOLDER_host = arena/host
FOLDER_statistics = arena/statistics
FOLDER_record = arena/record
FOLDER_arena = arena
FOLDER_tournament = arena/tournament
FOLDER_report = arena/report
FOLDER_cli = arena/cli
FOLDER_policy = bots/c/policy
FOLDER_search = bots/c/search
FOLDER_client = bots/c/client
FOLDER_players = bots/c/players
FOLDER_faulty = tests/faulty
FOLDER_tune = bots/tune
ARCHIVE_engine = $(BUILD)/libscopa.a
ARCHIVE_referee = $(BUILD)/referee.a
ARCHIVE_host = $(BUILD)/host.a
ARCHIVE_statistics = $(BUILD)/statistics.a
ARCHIVE_record = $(BUILD)/record.a
ARCHIVE_arena = $(BUILD)/arena.a
ARCHIVE_tournament = $(BUILD)/tournament.a
ARCHIVE_report = $(BUILD)/report.a
ARCHIVE_cli = $(BUILD)/cli.a
ARCHIVE_policy = $(BUILD)/policy.a
ARCHIVE_search = $(BUILD)/search.a
ARCHIVE_client = $(BUILD)/client.a
ARCHIVE_players = $(BUILD)/players.a
ARCHIVE_faulty = $(BUILD)/faulty.a
ARCHIVE_tune = $(BUILD)/tune.a
SEES_engine = engine/include
SEES_referee = engine/include arena/referee
SEES_host = arena/host
SEES_record = engine/include arena/referee arena/record
SEES_arena = $(SEES_record) arena/host arena
SEES_statistics = arena/statistics
SEES_tournament = $(SEES_arena) arena/statistics arena/tournament
SEES_report = $(SEES_tournament) arena/report
SEES_cli = $(SEES_report) arena/cli $(filter bots/%,$(SEES_players))
SEES_policy = engine/include bots/c/policy
SEES_search = $(SEES_policy) bots/c/search
SEES_client = engine/include bots/c/search bots/c/client
SEES_players = $(SEES_search) bots/c/client bots/c/players
SEES_faulty = tests/faulty
SEES_tune = $(SEES_players) bots/tune
SEES_tests = $(SEES_cli) bots/tune tests/support

# What a room links with: itself and all below it, from top to bottom.
USES_engine = engine
USES_referee = referee engine
USES_host = host
USES_record = record referee engine
USES_arena = arena record referee host engine
USES_statistics = statistics
USES_tournament = tournament arena record statistics referee host engine
USES_report = report $(USES_tournament)
USES_cli = cli players client search policy $(USES_report)
USES_policy = policy engine
USES_search = search policy engine
USES_client = client search policy engine
USES_players = players $(USES_client)
USES_faulty = faulty
USES_tune = tune $(USES_players)

# The pure rooms know no library; the others handle what bots send.
EXTRA_release = $(HARDEN)
EXTRA_host = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_record = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_arena = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_tournament = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_report = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_cli = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_tests = $(LIBRARY_FLAGS) $(TEST_FLAGS)

MAINS = arena/main.c bots/c/players/main.c bots/tune/fit.c \
	tests/faulty/probe.c tests/faulty/faulty_bot.c
$(foreach room,$(ROOMS),$(eval SOURCES_$(room) := \
	$(filter-out $(MAINS),$(sort $(wildcard $(FOLDER_$(room))/*.c)))))
$(foreach room,$(ROOMS),$(eval OBJECTS_$(room) = \
	$(SOURCES_$(room):%.c=$(BUILD)/%.o)))
archives = $(foreach room,$(USES_$1),$(if $(SOURCES_$(room)),$(ARCHIVE_$(room))))

PUBLIC_HEADERS := $(sort $(wildcard engine/include/scopa/*.h))

SHARED = $(if $(SOURCES_engine),$(BUILD)/libscopa.so)
PROGRAMS = $(if $(wildcard arena/main.c),$(BUILD)/scopa-arena) \
	$(if $(wildcard bots/c/players/main.c),$(BUILD)/scopa-bot)

.PHONY: all
all: $(call archives,cli) $(SHARED) $(PROGRAMS)

# A file that changes only when its text does: whatever depends on it is made
# anew when flags or the list of sources change, and not otherwise.  (Some makes
# leave the last newline in what they read.)
stamp = $(if $(call same,$(strip $(file <$1)),$(strip $2)),,$(file >$1,$2))
same = $(and $(findstring x$1x,x$2x),$(findstring x$2x,x$1x))
ifneq ($(filter-out help clean setup setup-test format format-check tidy \
	demo test test-units cover fuzz fuzz-long fuzz-merge fuzz-cover,$(or $(MAKECMDGOALS),all)),)
ifneq ($(shell [ ! -f $(BUILD)/tests/sim ] || rm $(BUILD)/tests/sim; \
	mkdir -p $(sort \
	$(dir $(patsubst %,$(BUILD)/%,$(wildcard tests/*/*.c tests/unit/*/*.c))) \
	$(foreach room,$(ROOMS),$(BUILD)/$(FOLDER_$(room)) \
	$(BUILD)/pic/$(FOLDER_$(room)))) && echo made),made)
$(error cannot make the folder $(BUILD))
endif
$(call stamp,$(BUILD)/flags,$(CC) $(FLAGS) $(EXTRA_engine) $(LINK) $(VERSION))
$(foreach room,$(ROOMS),$(call stamp,$(BUILD)/$(room).list,$(SOURCES_$(room))))
$(call stamp,$(BUILD)/tests.list,$(wildcard tests/*/*.c tests/unit/*/*.c))
endif

# The libraries, or what to do about it.
$(BUILD)/libraries: $(BUILD)/flags
	@$(PKG_CONFIG) --exists $(LIBRARIES) || { \
	    echo 'error: a library is missing: $(LIBRARIES)' >&2; \
	    echo '  try     : make setup' >&2; exit 1; }
	@touch $@

$(BUILD)/test-libraries: $(BUILD)/libraries
	@$(PKG_CONFIG) --exists $(TEST_LIBRARIES) || { \
	    echo 'error: a library is missing: $(TEST_LIBRARIES)' >&2; \
	    echo '  try     : make setup' >&2; exit 1; }
	@touch $@

# Commands are shown as one short line each, or whole with V=1.
say = $(if $(V),,@printf '  %-4s %s\n' $1 '$(@:$(CURDIR)/%=%)';)
COMPILE = $(call say,CC)$(CC) $(FLAGS) -MMD -MP
includes = $(addprefix -I,$(SEES_$1))

# The objects and the archive of one room.
define room_rules
$(BUILD)/$(FOLDER_$1)/%.o: $(FOLDER_$1)/%.c $(BUILD)/flags $2
	$$(COMPILE) $$(call includes,$1) $$(EXTRA_$1) $$(ROOM_$$(MODE)) \
	    -c -o $$@ $$<
$(ARCHIVE_$1): $$(OBJECTS_$1) $(BUILD)/$1.list
	@rm -f $$@
	$$(call say,AR)$$(AR) rcsD $$@ $$(OBJECTS_$1)
-include $$(OBJECTS_$1:.o=.d)
endef
$(eval $(call room_rules,engine))
$(eval $(call room_rules,referee))
$(eval $(call room_rules,host,| $(BUILD)/libraries))
$(eval $(call room_rules,cli,| $(BUILD)/libraries))
$(eval $(call room_rules,policy))
$(eval $(call room_rules,search))
$(eval $(call room_rules,client))
$(eval $(call room_rules,players))
$(eval $(call room_rules,faulty))
$(eval $(call room_rules,tune))
$(eval $(call room_rules,statistics))
$(eval $(call room_rules,tournament,| $(BUILD)/libraries))
$(eval $(call room_rules,report,| $(BUILD)/libraries))
$(eval $(call room_rules,record,| $(BUILD)/libraries))
$(eval $(call room_rules,arena,| $(BUILD)/libraries))
-include $(MAINS:%.c=$(BUILD)/%.d)

$(BUILD)/arena/main.o: SEES_arena := $(SEES_cli)

# The shared library shows the names that begin with scopa_ and no others.
PIC_OBJECTS = $(SOURCES_engine:%.c=$(BUILD)/pic/%.o)
$(BUILD)/pic/engine/%.o: engine/%.c $(BUILD)/flags
	$(COMPILE) -fPIC -fno-semantic-interposition $(call includes,engine) \
	    $(EXTRA_engine) -c -o $@ $<
-include $(PIC_OBJECTS:.o=.d)

$(BUILD)/libscopa.map: $(BUILD)/flags
	@printf '{ global: scopa_*; local: *; };\n' >$@

$(BUILD)/libscopa.so: $(PIC_OBJECTS) $(BUILD)/libscopa.map $(BUILD)/engine.list
	$(call say,LINK)$(CC) -shared $(LINK) -Wl,-soname,$(SONAME) \
	    -Wl,--version-script=$(BUILD)/libscopa.map -o $@ $(PIC_OBJECTS)

$(BUILD)/scopa.pc: $(BUILD)/flags Makefile
	@printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' \
	    'libdir=$${prefix}/lib' '' 'Name: scopa' \
	    'Description: rules of the Scopa family of card games' \
	    'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
	    'Libs: -L$${libdir} -lscopa' >$@

$(BUILD)/scopa-arena: $(BUILD)/arena/main.o $(call archives,cli)
	$(call say,LINK)$(CC) $(LINK) -o $@ $^ $(LIBRARY_LINK) -lm

$(BUILD)/scopa-bot: $(BUILD)/bots/c/players/main.o $(call archives,players)
	$(call say,LINK)$(CC) $(LINK) -o $@ $^ -lm

# What learns the numbers of the move policy (bots/tune/tune.sh).
FIT = $(BUILD)/bots/tune/fit
$(FIT): $(BUILD)/bots/tune/fit.o $(call archives,tune)
	$(call say,LINK)$(CC) $(LINK) -o $@ $^ -lm

# What tests let loose on the walls around bots.
PROBE = $(BUILD)/tests/faulty/probe
$(PROBE): $(BUILD)/tests/faulty/probe.o $(call archives,faulty)
	$(call say,LINK)$(CC) $(LINK) -o $@ $^

# And what they let loose on the arena.
FAULTY_BOT = $(BUILD)/tests/faulty/faulty_bot
$(FAULTY_BOT): $(BUILD)/tests/faulty/faulty_bot.o $(call archives,faulty)
	$(call say,LINK)$(CC) $(LINK) -o $@ $^

# What makes a machine lack something, for tests.
LACKING = $(BUILD)/tests/e2e/lacking
$(LACKING): $(BUILD)/tests/e2e/lacking.o
	$(call say,LINK)$(CC) $(LINK) -o $@ $^ $(LIBRARY_LINK)

# A machine that refuses a call, to be loaded before the arena.
REFUSAL = $(BUILD)/tests/e2e/refusal.so
$(REFUSAL): tests/e2e/refusal.c $(BUILD)/flags
	$(call say,LINK)$(CC) $(filter-out $(SANITIZE),$(FLAGS)) -fPIC -shared \
	    -o $@ $< -ldl

# Tests: the files of a folder are one program, which is linked with what the
# tests share and with what is tested.
TEST_FOLDERS := $(patsubst %/,%,$(sort $(wildcard tests/unit/*/) tests/property/))
TESTS = $(TEST_FOLDERS:%=$(BUILD)/%/tests)
TEST_C := $(wildcard tests/*/*.c tests/unit/*/*.c)
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZERS = $(FUZZ_SOURCES:%.c=$(BUILD)/%)
CORPORA = $(FUZZ_SOURCES:tests/fuzz/fuzz_%.c=$(BUILD)/tests/fuzz/corpus_%)
TESTED = $(foreach room,tune $(USES_cli),$(ARCHIVE_$(room)))
TEST_LINKED = $(TEST_LINK) $(LIBRARY_LINK) -lm

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags | $(BUILD)/test-libraries
	$(COMPILE) $(call includes,tests) $(EXTRA_tests) -c -o $@ $<
-include $(TEST_C:%.c=$(BUILD)/%.d)

SUPPORT = $(BUILD)/tests/support.a
SUPPORT_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
$(SUPPORT): $(SUPPORT_OBJECTS) $(BUILD)/tests.list
	@rm -f $@
	$(call say,AR)$(AR) rcsD $@ $(SUPPORT_OBJECTS)

.SECONDEXPANSION:
objects_in = $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard $1/*.c)))
$(TESTS): $(BUILD)/%/tests: $$(call objects_in,$$*) $(SUPPORT) $(TESTED) \
	$(BUILD)/tests.list
	$(call say,LINK)$(CC) $(LINK) -o $@ $(filter %.o %.a,$^) $(TEST_LINKED)

FUZZ_OBJECTS = $(SUPPORT) $(TESTED)
$(FUZZERS): %: %.o $(FUZZ_OBJECTS)
	$(call say,LINK)$(CC) $(LINK) -fsanitize=fuzzer -o $@ $^ $(TEST_LINKED)

# The kept inputs of a fuzz target, run through it without libFuzzer.
$(CORPORA): $(BUILD)/tests/fuzz/corpus_%: $(BUILD)/tests/fuzz/fuzz_%.o \
	$(BUILD)/tests/fuzz/corpus.o $(FUZZ_OBJECTS)
	$(call say,LINK)$(CC) $(LINK) -o $@ $^ $(TEST_LINKED)

# Whole tournaments in one process.  What the arena asks of the machine is
# answered by tests/sim/sim_*.c, which the linker puts in between; what these have
# in common with files of the host takes their place.
SIM = $(BUILD)/tests/sim/sim
SIM_WRAPS = read write close ioctl fcntl poll pipe2 timerfd_create \
	timerfd_settime signalfd epoll_create1 epoll_ctl epoll_wait kill \
	waitpid setsid _exit sigtimedwait malloc calloc realloc reallocarray \
	free cores_allowed worker_open referee_step
$(SIM): $(call objects_in,tests/sim) $(SUPPORT) \
	$(filter-out $(ARCHIVE_engine),$(call archives,players)) \
	$(call archives,tournament)
	$(call say,LINK)$(CC) $(LINK) $(SIM_WRAPS:%=-Wl,--wrap=%) \
	    -o $@ $^ $(TEST_LINKED)

.PHONY: programs tests fuzzers corpora test test-units test-long cover walls
.PHONY: fuzz fuzz-long fuzz-merge fuzz-cover
programs: $(PROGRAMS)
	@:
tests: $(TESTS) $(CORPORA) $(FIT) $(LACKING) $(PROBE) $(FAULTY_BOT) $(SIM) \
	$(REFUSAL)
	@:
fuzzers: $(FUZZERS)
corpora: $(CORPORA)

SEEN_BY_TESTS = BUILD='$(abspath $(BUILD))' MODE='$(MODE)' CC='$(CC)' \
	NM='$(NM)' WERROR='$(WERROR)'

# What does not build is counted as failed; the rest is run all the same.
test: setup-test ## set up, build, run all tests
	@$(MAKE) --no-print-directory -k all tests; \
	    $(SEEN_BY_TESTS) BUILD_STATUS=$$? bash tests/run.sh

test-units: ## build everything, run the unit tests alone
	@$(MAKE) --no-print-directory -k all tests; \
	    $(SEEN_BY_TESTS) BUILD_STATUS=$$? bash tests/run.sh units

# A million random deals, half of them by rule sets drawn at random.
LONG_TESTS = test_engine_properties test_view
LONG_DEALS = 500000
test-long: tests ## play a million random deals
	@SCOPA_TEST_DEALS=$(LONG_DEALS) TEST_SECONDS=36000 $(SEEN_BY_TESTS) \
	    bash tests/run.sh $(LONG_TESTS)

# Each seed is a tournament, played undisturbed and then with what the machine
# may do to it.
SIM_SEED ?= 1
SIM_SEEDS ?= 3000
.PHONY: sim sim-long
sim: $(SIM) ## play SIM_SEEDS tournaments in one process from SIM_SEED
	@$(SIM) --seed $(SIM_SEED) --seeds $(SIM_SEEDS)

sim-long: $(SIM) ## the same for 100000 new seeds, on all cores
	@first=$$(date +%s)00000; \
	seq $$first 1000 $$((first + 99000)) | xargs -n 1 -P "$$(nproc)" \
	    sh -c '"$(SIM)" --seeds 1000 --seed "$$1" >"$(SIM).$$1" 2>&1 && \
	    rm "$(SIM).$$1" || { cat "$(SIM).$$1"; exit 255; }' sim

.PHONY: fail-nth
fail-nth: all $(REFUSAL) ## refuse the arena each call there is, one a run
	@$(SEEN_BY_TESTS) FAIL_NTH=all TEST_SECONDS=36000 \
	    bash tests/run.sh e2e/fail_nth

walls: all ## check who uses whom, file sizes and the like
	@$(SEEN_BY_TESTS) bash tests/walls.sh

# One test by name: `make test-card` runs the tests of test_card.c, and `make
# test-match` those of tests/e2e/match.sh where there is no test_match.c.
test-%: all tests
	@$(SEEN_BY_TESTS) bash tests/run.sh $*

.PHONY: ladder
ladder: all ## measure how strong the built-in bots are (an hour or more)
	python3 bots/ladder.py --arena $(BUILD)/scopa-arena

cover: ## run all tests and report what they reach (gcc, gcovr)
	@$(MAKE) --no-print-directory MODE=cover CC=gcc BUILD=$(BUILD)/cover \
	    report

.PHONY: report
report:
	@$(MAKE) --no-print-directory test; status=$$?; \
	    gcovr --root . --filter engine/ --filter arena/ --filter bots/c/ \
	    --object-directory $(BUILD) --print-summary --txt $(BUILD)/cover.txt \
	    --html-details $(BUILD)/cover.html $(BUILD) || exit 5; \
	    echo 'report: $(BUILD)/cover.txt and $(BUILD)/cover.html'; \
	    exit $$status

# See tests/fuzz/README.md.  What is found goes to the build folder.
FUZZ_BUILD = $(abspath $(BUILD)/fuzz)
FUZZ = $(MAKE) --no-print-directory MODE=fuzz CC=clang BUILD=$(FUZZ_BUILD) \
	fuzzers && BUILD=$(FUZZ_BUILD) SECONDS_EACH=$(FUZZ_SECONDS) \
	JOBS=$(FUZZ_JOBS) bash tests/fuzz/fuzz.sh
fuzz: ## look for faults, FUZZ_SECONDS a target, FUZZ_JOBS at once (clang)
	+@$(FUZZ) run $(FUZZ_TARGETS)

fuzz-long: FUZZ_SECONDS = 3600
fuzz-long: fuzz ## the same for an hour each

fuzz-merge: ## keep of what was found that which reaches new code
	+@$(FUZZ) merge $(FUZZ_TARGETS)

# llvm-cov is in the package llvm-14.
FUZZ_COVER = $(abspath $(BUILD)/profile)
fuzz-cover: ## what the kept inputs alone reach (clang, llvm-cov)
	@$(MAKE) --no-print-directory MODE=profile CC=clang \
	    BUILD=$(FUZZ_COVER) corpora && \
	    BUILD=$(FUZZ_COVER) bash tests/fuzz/fuzz.sh cover

# Set-up and first steps.
COMPILER_NEEDS = $(firstword $(CC)):$(firstword $(CC)) make:make \
	pkg-config:pkg-config header/stdio.h:libc6-dev
LIBRARY_NEEDS = library/libsodium:libsodium-dev library/libbsd:libbsd-dev \
	library/cmocka:libcmocka-dev \
	library/sqlite3:libsqlite3-dev library/inih:libinih-dev \
	library/libseccomp:libseccomp-dev
TEST_NEEDS = python3:python3 node:nodejs mawk:mawk gawk:gawk

.PHONY: setup setup-test demo help
setup: ## install the Debian packages that are missing
	@CC='$(CC)' sh .ci/setup $(COMPILER_NEEDS) $(LIBRARY_NEEDS)

setup-test:
	@CC='$(CC)' sh .ci/setup $(COMPILER_NEEDS) $(LIBRARY_NEEDS) $(TEST_NEEDS)

demo: setup ## set up, build, play a first match
	@$(MAKE) --no-print-directory programs
	@$(BUILD)/scopa-arena match @greedy @random

help: ## show this
	@echo 'make [TARGET] [MODE=$(subst $() ,|,$(MODES))] [CC=gcc|clang]'
	@echo '     [BUILD=DIR] [PREFIX=DIR] [DESTDIR=DIR] [WERROR=1] [V=1]'
	@echo
	@echo '  all           libraries and programs, in $(BUILD)/ (default)'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' \
	    Makefile
	@echo '  test-NAME     run one file of tests: test_NAME.c or NAME.sh'

# Installation.  The manual is written by the program itself.
.PHONY: install
INSTALL ?= install
TO = $(DESTDIR)$(PREFIX)
install: all $(BUILD)/scopa.pc ## install below DESTDIR and PREFIX
	$(INSTALL) -d $(TO)/bin $(TO)/lib/pkgconfig $(TO)/include/scopa \
	    $(TO)/share/man/man1 $(TO)/share/doc/scopa-arena/examples \
	    $(TO)/share/doc/scopa-arena/docs
	$(INSTALL) -m 755 $(PROGRAMS) $(TO)/bin
	$(INSTALL) -m 644 $(BUILD)/libscopa.a $(TO)/lib
	$(INSTALL) -m 755 $(BUILD)/libscopa.so $(TO)/lib/libscopa.so.$(VERSION)
	ln -sf libscopa.so.$(VERSION) $(TO)/lib/$(SONAME)
	ln -sf $(SONAME) $(TO)/lib/libscopa.so
	$(INSTALL) -m 644 $(PUBLIC_HEADERS) $(TO)/include/scopa
	$(INSTALL) -m 644 $(BUILD)/scopa.pc $(TO)/lib/pkgconfig
	$(BUILD)/scopa-arena help --man >$(BUILD)/scopa-arena.1
	$(INSTALL) -m 644 $(BUILD)/scopa-arena.1 $(TO)/share/man/man1
	$(INSTALL) -m 644 protocol.md README.md CHANGELOG.md LICENSE \
	    $(TO)/share/doc/scopa-arena
	$(INSTALL) -m 644 docs/*.md $(TO)/share/doc/scopa-arena/docs
	cp -R bots/. $(TO)/share/doc/scopa-arena/examples

# Care of the sources.
C_FILES = $(wildcard engine/*.[ch] engine/include/scopa/*.h arena/*.[ch] \
	arena/*/*.[ch] bots/*/*.[ch] bots/c/*/*.[ch] tests/*/*.[ch] tests/unit/*/*.[ch])
.PHONY: format format-check tidy clean
format: ## lay out all C code
	clang-format -i $(C_FILES)

format-check: ## fail where `make format` would change something
	@clang-format --dry-run --Werror $(C_FILES)

# One file at a time: clang-tidy 14 takes a va_list for uninitialised in every
# file but the first of a run.
TIDY = $(foreach room,$(ROOMS),$(SOURCES_$(room):%=tidy/%)) \
	$(patsubst %,tidy/%,$(wildcard $(MAINS)))
.PHONY: $(TIDY)
define tidy_rule
$(SOURCES_$1:%=tidy/%): tidy/%: %
	@echo '  TIDY $$<'
	@clang-tidy --quiet $$< -- $$(LANGUAGE) $$(ARCH) \
	    $$(call includes,$1) $$(LIBRARY_FLAGS) 2>/dev/null
endef
$(foreach room,$(ROOMS),$(eval $(call tidy_rule,$(room))))
$(MAINS:%=tidy/%): tidy/%: %
	@echo '  TIDY $<'
	@clang-tidy --quiet $< -- $(LANGUAGE) $(ARCH) \
	    $(call includes,cli) $(LIBRARY_FLAGS) 2>/dev/null
tidy: $(TIDY) ## run clang-tidy over all rooms

clean: ## remove what was built
	rm -rf $(BUILD)
