# How tests, fuzzers and the simulator are built and run; included by the
# Makefile.

# Tests: the files of a folder are one program, which is linked with the shared
# helpers of tests and with the code under test.
TESTED = $(BUILD)/support.a $(BUILD)/tune.a $(ARCHIVES:%/libscopa.a=) \
	$(BUILD)/libscopa.a
TESTS = $(patsubst %/,$(BUILD)/%/tests,$(filter-out $(if \
	$(filter 0,$(SERVE)),tests/unit/serve/) $(if \
	$(filter 0,$(REMOTE)),tests/database/),$(wildcard tests/unit/*/) \
	tests/property/ tests/database/))
$(TESTS): $(BUILD)/%/tests: $$(call objects_in,$$*) $(TESTED) $(BUILD)/sources
	$(LINK_ALL) $(TEST_LIBS)

FUZZ_SOURCES := $(wildcard tests/fuzz/fuzz_*.c)
FUZZERS = $(FUZZ_SOURCES:%.c=$(BUILD)/%)
$(FUZZERS): %: %.o $(TESTED)
	$(LINK_ALL) -fsanitize=fuzzer $(TEST_LIBS)

# Programs that run the stored inputs of a fuzz target without libFuzzer.
CORPORA = $(FUZZ_SOURCES:tests/fuzz/fuzz_%.c=$(BUILD)/tests/fuzz/corpus_%)
$(CORPORA): $(BUILD)/tests/fuzz/corpus_%: $(BUILD)/tests/fuzz/fuzz_%.o \
	$(BUILD)/tests/fuzz/corpus.o $(TESTED)
	$(LINK_ALL) $(TEST_LIBS)

# Whole tournaments in one process.  The linker replaces calls of the arena to the
# machine by the functions of tests/sim/sim_*.c.
SIM = $(BUILD)/tests/sim/sim
SIM_WRAPS = read write close ioctl fcntl poll pipe2 timerfd_create \
	timerfd_settime signalfd epoll_create1 epoll_ctl epoll_wait kill \
	waitpid setsid _exit sigtimedwait malloc calloc realloc reallocarray \
	strdup free cores_allowed worker_open referee_step
$(SIM): $$(call objects_in,tests/sim) $(TESTED)
	$(LINK_ALL) $(SIM_WRAPS:%=-Wl,--wrap=%) $(TEST_LIBS)

# Runs over many workers in one process, with a queue in memory.
FLEET = $(BUILD)/tests/fleet/fleet
FLEET_WRAPS = clock_now_ns clock_wall_ns ppoll
$(FLEET): $$(call objects_in,tests/fleet) $(TESTED)
	$(LINK_ALL) $(FLEET_WRAPS:%=-Wl,--wrap=%) $(TEST_LIBS)

# Faulty bots and the probe, each linked from all files whose names begin with its
# name; `without`, which disables features of the machine; and `refusal`, which
# makes a call fail.
TOOLS = $(BUILD)/tests/faulty/probe $(BUILD)/tests/faulty/faulty_bot \
	$(BUILD)/tests/e2e/without
$(TOOLS): $$(call objects,$$(wildcard $$(patsubst $(BUILD)/%,%,$$@)*.c))
	$(LINK_ALL) $(LIBS)
REFUSAL = $(BUILD)/tests/e2e/refusal.so
$(REFUSAL): tests/e2e/refusal.c $(BUILD)/flags
	$(call say,LINK)$(CC) $(filter-out $(SANITIZE),$(FLAGS)) -fPIC \
	    -shared -o $@ $< -ldl

.PHONY: tests fuzzers corpora
tests: $(TESTS) $(CORPORA) $(FIT) $(SIM) $(FLEET) $(TOOLS) $(REFUSAL)
fuzzers: $(FUZZERS)
corpora: $(CORPORA)

# A program that does not build counts as failed; the other tests are run.
.PHONY: test test-units test-kits test-pages test-full test-long layers
RUN = BUILD='$(abspath $(BUILD))' MODE='$(MODE)' CC='$(CC)' NM='$(NM)' \
	WERROR='$(WERROR)' bash tests/run.sh
BUILD_AND_RUN = $(MAKE) --no-print-directory $(ON_ALL_CORES) -k all tests; \
	BUILD_STATUS=$$? $(RUN)
test: setup-test ## set up, build, run the tests
	+@$(BUILD_AND_RUN)
test-full: setup-test ## all tests in full, as before a release
	+@export TEST_FULL=1; $(BUILD_AND_RUN)
test-units: ## build everything, run the C tests alone
	+@$(BUILD_AND_RUN) units
test-kits: all ## test the tutorials and the kits in other languages
	@$(RUN) e2e/tutorials $(patsubst %,e2e/kit_%,go java javascript python rust)
test-pages: all ## test the pages in a real browser
	@$(RUN) e2e/browser
layers: all ## check uses between layers, file sizes and the like
	@$(RUN) layers
# `make test-deal` runs the tests of test_deal.c, and `make test-match` those of
# tests/e2e/match.sh, because there is no test_match.c.
test-%: all tests
	@$(RUN) $*

# A million random deals, half of them by rule sets drawn at random.
test-long: all tests ## play a million random deals
	@SCOPA_TEST_DEALS=500000 TEST_SECONDS=36000 $(RUN) \
	    test_engine_properties test_view

# Each seed is a tournament, played undisturbed and then with failures of the
# machine.
.PHONY: sim sim-long fail-nth ladder
SIM_SEED ?= 1
SIM_SEEDS ?= 3000
sim: $(SIM) ## play SIM_SEEDS tournaments in one process from SIM_SEED
	@$(SIM) --seed $(SIM_SEED) --seeds $(SIM_SEEDS)
sim-long: $(SIM) ## the same for 100000 new seeds, on all cores
	@first=$$(date +%s)00000; \
	seq $$first 1000 $$((first + 99000)) | xargs -n 1 -P "$$(nproc)" \
	    sh -c '"$(SIM)" --seeds 1000 --seed "$$1" >"$(SIM).$$1" 2>&1 && \
	    rm "$(SIM).$$1" || { cat "$(SIM).$$1"; exit 255; }' sim
fail-nth: all $(REFUSAL) ## let each call of the arena fail, one in each run
	@FAIL_NTH=all TEST_SECONDS=36000 $(RUN) e2e/fail_nth
ladder: all ## measure how strong the built-in bots are (an hour or more)
	python3 bots/ladder.py --arena $(BUILD)/scopa-arena

# gcov may print a negative count for a line of a function that forks, because such
# a function ends twice: gcovr ignores these lines.
.PHONY: cover report
cover: ## run the tests and report what they reach (gcc, gcovr)
	@$(MAKE) --no-print-directory MODE=cover CC=gcc BUILD=$(BUILD)/cover \
	    report
report:
	@$(MAKE) --no-print-directory test; status=$$?; \
	    gcovr --gcov-ignore-parse-errors --root . --filter engine/ --filter arena/ --filter bots/c/ \
	    --object-directory $(BUILD) --print-summary --txt $(BUILD)/cover.txt \
	    --html-details $(BUILD)/cover.html $(BUILD) || exit 5; \
	    echo 'report: $(BUILD)/cover.txt and $(BUILD)/cover.html'; \
	    exit $$status

# See tests/fuzz/README.md.  New inputs are written to the build folder.
.PHONY: fuzz fuzz-long fuzz-merge fuzz-cover
FUZZ_SECONDS ?= 60
FUZZ_JOBS ?= 2
FUZZ_TARGETS ?=
FUZZ_BUILD = $(abspath $(BUILD)/fuzz)
FUZZ_COVER = $(abspath $(BUILD)/profile)
FUZZ = $(MAKE) --no-print-directory MODE=fuzz CC=clang BUILD=$(FUZZ_BUILD) \
	fuzzers && BUILD=$(FUZZ_BUILD) SECONDS_EACH=$(FUZZ_SECONDS) \
	JOBS=$(FUZZ_JOBS) bash tests/fuzz/fuzz.sh
fuzz: ## look for faults, FUZZ_SECONDS a target, FUZZ_JOBS at once (clang)
	+@$(FUZZ) run $(FUZZ_TARGETS)
fuzz-long: FUZZ_SECONDS = 3600
fuzz-long: fuzz ## the same for an hour each
fuzz-merge: ## store those new inputs that reach new code
	+@$(FUZZ) merge $(FUZZ_TARGETS)
fuzz-cover: ## report what the stored inputs reach (clang, llvm-cov of llvm-14)
	@$(MAKE) --no-print-directory MODE=profile CC=clang \
	    BUILD=$(FUZZ_COVER) corpora && \
	    BUILD=$(FUZZ_COVER) bash tests/fuzz/fuzz.sh cover
