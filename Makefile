# Heddle's targets. Everything needs a Go toolchain and nothing else.

GO ?= go
FUZZTIME ?= 30s
TIMEOUT ?= 60m
# Tests load programs most of the time, and what is loaded is no garbage.
COLLECT = GOGC=800 GOMEMLIMIT=2GiB

.PHONY: all build test test-long quick-lint lint format generated staticcheck race conformance stdlib sockets net-tests random goker agreement leaks paper001 paper002 bench-vm bench-search bench-papers fuzz clean

all: build

# Without tables for debuggers, as go run links: a third of the binary.
build:
	$(GO) build -ldflags='-s -w' -o bin/ ./cmd/heddle ./cmd/heddle-nats

# All packages were just vetted, and tables for debuggers take as long to link as the rest.
BRIEF = -vet=off -ldflags='-s -w'

# What a change has to pass. The time limit is there for what hangs. Random tests are the same each time here, so that a change does not fail
# for what was wrong before: make test-long tries others.
test: quick-lint
	RAPID_SEED=1 $(COLLECT) $(GO) test $(BRIEF) -timeout $(TIMEOUT) ./...

# What a release has: the command, with what it needs to be read by people. Equal sources make equal files.
.PHONY: release
VERSION ?= $(shell git describe --tags --always)
release:
	rm -rf bin/release && mkdir -p bin/release
	for target in $(TARGETS); do \
		dir=bin/release/$$target; command=heddle; case $$target in windows/*) command=heddle.exe; esac; \
		CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build -trimpath -ldflags='-s -w' -o $$dir/$$command ./cmd/heddle && \
		cp LICENSE README.md CHANGELOG.md $$dir && \
		tar -C $$dir --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$(git log -1 --format=%ct) -cf - $$command LICENSE README.md CHANGELOG.md | \
		gzip -n > bin/release/heddle_$(VERSION)_$${target%/*}_$${target#*/}.tar.gz || exit 1; \
	done
	cd bin/release && rm -r linux darwin windows && sha256sum *.tar.gz > sums.txt

# All commands build for the systems that releases are for.
.PHONY: cross
TARGETS = linux/amd64 linux/arm64 darwin/arm64 windows/amd64
cross:
	@for target in $(TARGETS); do echo $$target; \
		CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build -ldflags='-s -w' -o bin/cross/$$target/ ./cmd/... || exit 1; \
	done

# The examples by a heddle for linux/arm64, under qemu-user 8 or later, and by one for linux/amd64: both have to say the same, byte
# for byte. The page is docs/results/platforms.md.
.PHONY: examples-arm64
QEMU ?= qemu-aarch64
examples-arm64:
	$(GO) run ./internal/gosuite/platforms -qemu $(QEMU) -commit $$(git describe --always --dirty) -o docs/results/platforms.md

# The same tests with larger numbers of programs, seeds and states.
test-long: quick-lint
	HEDDLE_LONG=1 $(COLLECT) $(GO) test $(BRIEF) -timeout 6h ./...

# What takes seconds.
quick-lint: format generated
	$(GO) vet ./...

# All checks of the source. Staticcheck is downloaded when it is first called, and
# the race detector takes minutes, so that neither is a part of make test.
lint: quick-lint cross staticcheck race

format:
	@bad=$$(gofmt -l $$(git ls-files '*.go' | grep -v /testdata/)); \
	if [ -n "$$bad" ]; then echo "gofmt would change:"; echo "$$bad"; exit 1; fi

# Generated files are what go generate makes of their sources: in a copy of the
# repository it changes nothing.
generated:
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && \
	git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$$copy" && \
	(cd "$$copy" && $(GO) generate ./...) && \
	bad=$$(diff -rq . "$$copy" | grep -v '^Only in \./\|^Only in \.:'); \
	if [ -n "$$bad" ]; then echo "go generate would change:"; echo "$$bad"; exit 1; fi

# docs/flags.md and docs/explain.md, which are made from the code.
.PHONY: pages
pages:
	HEDDLE_UPDATE=1 $(GO) test $(BRIEF) -count 1 -run TestPages ./internal/cli

# The program of the pages that heddle view shows, bundled anew. It needs node; nothing else does.
.PHONY: web
web:
	cd internal/view/web && npm ci --no-audit --no-fund && npm run types && npm run build

# The version is pinned by a module file of its own, so that it is not among our
# dependencies; the checks are chosen in staticcheck.conf.
staticcheck:
	$(GO) tool -modfile=tools/go.mod staticcheck ./...

# The race detector on the packages that start goroutines. It needs a C compiler.
race:
	@if command -v "$$($(GO) env CC)" >/dev/null; then \
		pkgs=$$(git grep -lE '^[[:space:]]+go [a-zA-Z]|\.Go\(func' -- 'internal/*.go' 'verify/*.go' | \
			grep -v '_test\.go$$\|/testdata/\|/gosuite/' | xargs -n1 dirname | sort -u | sed 's,^,./,'); \
		echo $(GO) test -race -short -timeout $(TIMEOUT) $$pkgs; \
		CGO_ENABLED=1 $(COLLECT) $(GO) test -race -short -timeout $(TIMEOUT) $$pkgs; \
	else echo "NOT RUN: the race detector needs a C compiler, and there is no $$($(GO) env CC) here"; fi

# The Go team's own test programs: every file of GOROOT/test marked "// run".
conformance:
	$(GO) run ./internal/gosuite/conformance -o docs/results/conformance.md

# The standard library's own tests; the table is docs/results/stdlib.md.
stdlib: build
	@mkdir -p docs/results
	$(GO) run ./internal/gosuite/stdlib -heddle bin/heddle > docs/results/stdlib.md

# The same tests under every schedule, with default flags, 2 s for a test and 90 s for a package; the
# table is docs/results/stdcheck.md.
.PHONY: stdcheck
stdcheck: build
	$(GO) run ./internal/gosuite/stdcheck -heddle bin/heddle -commit "$$(git describe --always --dirty)" -o docs/results/stdcheck.md

# The tests of popular modules, once, natively and in the machine; the table is
# docs/results/modules.md. Results are kept in bin/modules: to go on after an
# interruption, call make modules-parts. MODULES chooses some by a regexp.
.PHONY: modules modules-parts
MODULES ?=
modules:
	rm -rf bin/modules/results
	$(MAKE) modules-parts
modules-parts: build
	$(GO) run ./internal/gosuite/modules -heddle bin/heddle -modules '$(MODULES)' -o docs/results/modules.md

# The same tests, checked, each for BUDGET at most; the table is docs/results/modules-checked.md.
.PHONY: modules-checked modules-checked-parts
BUDGET ?= 30s
modules-checked:
	rm -rf bin/modules/results/check_*
	$(MAKE) modules-checked-parts
modules-checked-parts: build
	$(GO) run ./internal/gosuite/modules -heddle bin/heddle -modules '$(MODULES)' -budget $(BUDGET) -o docs/results/modules-checked.md

# How fast some of their tests are searched, against an earlier commit. The result is docs/results/rates.md.
.PHONY: rates
BEFORE ?= f4d8176
rates: build
	$(GO) run ./internal/gosuite/modules -heddle bin/heddle -rates $(BEFORE) -o docs/results/rates.md

# Both checkers of certificates on 300 generated programs, 300 generated models and 1000 formulas, the examples with and without peers, tests and the kernels; the figures are in docs/results/certcheck.md.
.PHONY: certcheck
certcheck:
	HEDDLE_LONG=1 $(GO) test -vet=off -count=1 -timeout 6h -run TestAgree -v ./cmd/certcheck

# What each guess and view of the reduction brings on these tests; the table is docs/results/modules-reductions.md.
.PHONY: modules-reductions
modules-reductions: build
	$(GO) run ./internal/gosuite/modules -heddle bin/heddle -modules '$(MODULES)' -reductions -o docs/results/modules-reductions.md

# Faults that are planted in these modules, looked for with default flags; the table is docs/results/modules-planted.md.
.PHONY: modules-planted
modules-planted: build
	$(GO) run ./internal/gosuite/modules -heddle bin/heddle -modules '$(MODULES)' -planted -o docs/results/modules-planted.md

# Random sequences of socket operations, on the host and in the machine; the table
# is in docs/results/sockets.md.
SEQUENCES ?= 5000
sockets:
	$(GO) test ./internal/execute -run TestSocketSequences -count 1 -timeout 1h -sequences $(SEQUENCES) -sockets $(CURDIR)/docs/results/sockets.md

# Package net's own tests, each alone in the machine; the list is docs/results/net.md.
net-tests:
	$(GO) test ./internal/execute -run TestNetPackage -count 1 -timeout 1h -net $(CURDIR)/docs/results/net.md

# Random programs, natively and in the machine.
SEEDS ?= 50
SETS ?= 5
random:
	$(GO) test ./internal/gosuite/randgo -timeout 1h -count 1 -seeds $(SEEDS) -size 300
	$(GO) test ./internal/gosuite/randflow -timeout 1h -count 1 -seeds $(SETS) -programs 200 -searched 10

# Programs that hand values on, FLOWS sets of 200, of which 10 are searched as well.
# Sets that have agreed are not run again, unless bin/flows is removed. The page is
# docs/results/random.md.
.PHONY: random-flows
FLOWS ?= 100
random-flows:
	mkdir -p bin/flows
	$(GO) test -c -o bin/flows/test ./internal/gosuite/randflow
	commit=$$(git describe --always --dirty); cd internal/gosuite/randflow && for n in $$(seq 1 $(FLOWS)); do test -f $(CURDIR)/bin/flows/set.$$n || \
		$(CURDIR)/bin/flows/test -test.timeout 3h -first $$n -seeds 1 -programs 200 -searched 10 -tally $(CURDIR)/bin/flows/set.$$n -commit $$commit || bad=1; \
	done; test -z "$$bad"
	sort -n bin/flows/set.* | awk -f internal/gosuite/randflow/page.awk > docs/results/random.md

# The model of the load balancer, paper 001, table 1, with up to four connections:
# docs/results/paper001.md. Figures of configurations that are not searched now are kept.
CONFIGS ?= 1+1,1+2,2+1,1+3,2+2,3+1
paper001:
	$(GO) run ./bench/paper001 -configs '$(CONFIGS)' -keep bench/paper001/figures.json -o docs/results/paper001.md

# The programs of paper 002, tables 1 to 4; the page is docs/results/paper002.md. The
# machine should do nothing else for the ten minutes or so that it takes.
paper002:
	$(GO) run ./internal/gosuite/paper002 -commit "$$(git describe --always --dirty)" -o docs/results/paper002.md

# What each guess and view of the reduction is worth; the table is docs/results/guesses.md.
# What was measured is kept in bin/guesses.json, to go on after an interruption.
.PHONY: guesses
guesses:
	mkdir -p bin
	$(GO) run ./internal/gosuite/guesses -keep bin/guesses.json -commit $$(git describe --always --dirty) -o docs/results/guesses.md

# Every finding of every way of searching is replayed; the table is docs/results/replays.md.
# What programs have shown is kept in bin/replays: to go on after an interruption, call
# make replays-parts.
.PHONY: replays replays-parts
REPLAYS ?= 500
replays:
	rm -rf bin/replays
	$(MAKE) replays-parts
replays-parts:
	$(GO) run ./internal/gosuite/replays -n $(REPLAYS) -keep bin/replays/rows -commit $$(git describe --always --dirty) -o docs/results/replays.md

# Programs and models that are made to be slow, with limits and interrupts; the page is docs/results/limits.md.
.PHONY: limits
INTERRUPTS ?= 200
limits: build
	$(GO) run ./internal/gosuite/limits -heddle bin/heddle -interrupts $(INTERRUPTS) -commit $$(git describe --always --dirty) -page docs/results/limits.md

# The race detector's own tests; the table is docs/results/race-suite.md.
.PHONY: race-suite
race-suite:
	$(GO) run ./internal/gosuite/racesuite -page docs/results/race-suite.md

# Generated programs, searched and under go build -race; needs a C compiler. The result is docs/results/races.md.
.PHONY: races
RACES ?= 1000
races:
	$(GO) run ./internal/gosuite/randrace -seeds $(RACES) -runs 200 -page docs/results/races.md

# Livelocks and promises of generated programs, against a plain search. The result is docs/results/livelock.md.
.PHONY: livelocks
LIVELOCKS ?= 500
livelocks:
	$(GO) run ./internal/gosuite/randlive -seeds $(LIVELOCKS) -commit $$(git describe --always --dirty) -page docs/results/livelock.md

# Generated programs without an end, with a bug. The result is docs/results/hunts.md.
.PHONY: hunts
HUNTS ?= 300
hunts:
	$(GO) run ./internal/gosuite/randhunt -seeds $(HUNTS) -commit $$(git describe --always --dirty) -page docs/results/hunts.md

# What searches that are cut off say of the states that are left, against the truth. The result is docs/results/estimates.md.
.PHONY: estimates
estimates:
	$(GO) run ./internal/gosuite/estimates -commit $$(git describe --always --dirty) -page docs/results/estimates.md

# The kernels of the goroutine leak profile; the table is docs/results/goker.md.
goker:
	$(GO) test ./internal/gosuite/goker -run TestTable -count 1 -table $(CURDIR)/docs/results/goker.md

# Searches against each other: with and without reduction, in several orders, on
# the examples, the kernels and generated programs. See docs/results/agreement.md.
# They are compared in parts of 200, whose results are kept in bin/agreement: to
# go on after an interruption, call make agreement-parts agreement-page.
PROGRAMS ?= 2400
PARTS = $(CURDIR)/bin/agreement
AGREE = cd internal/execute && $(PARTS)/test -test.timeout 3h -agreement $(CURDIR)/docs/results/agreement.md
.PHONY: agreement-parts agreement-page
agreement:
	rm -rf $(PARTS)
	$(MAKE) agreement-parts agreement-page
agreement-parts:
	mkdir -p $(PARTS)
	test -x $(PARTS)/test || $(GO) test -c -o $(PARTS)/test ./internal/execute
	test -f $(PARTS)/programs || ($(AGREE) -test.run 'TestAgree(Examples|Kernels|Report)' -part $(PARTS)/programs) || bad=1; \
	test -f $(PARTS)/random.memory || ($(AGREE) -test.run 'TestAgree(Memory|Report)' -memoryseeds 300 -part $(PARTS)/random.memory) || bad=1; \
	for first in $$(seq 1 200 $(PROGRAMS)); do test -f $(PARTS)/random.$$first || \
		($(AGREE) -test.run 'TestAgree(Random|Report)' -first $$first -seeds 200 -part $(PARTS)/random.$$first) || bad=1; done; test -z "$$bad"
agreement-page:
	$(AGREE) -test.run TestAgreeReport -parts '$(PARTS)/[pr]*'

# Generated programs with connections, alone and as groups of processes, and programs that mix
# raw descriptors, timers, groups and crowds of goroutines. See docs/results/agreement-net.md.
# They are compared in parts of 100 of a kind, whose results are kept in bin/agreement-net: to go
# on after an interruption, call make agreement-net-parts agreement-net-page.
.PHONY: agreement-net agreement-net-parts agreement-net-page
NETS ?= 400
NETPARTS = $(CURDIR)/bin/agreement-net
NETKINDS = TCP TCPGroups TCPTwins UDP UDPGroups UDPTwins Meddling MeddlingGroups Mixed
agreement-net:
	rm -rf $(NETPARTS)
	$(MAKE) agreement-net-parts agreement-net-page
agreement-net-parts:
	mkdir -p $(NETPARTS)
	test -x $(NETPARTS)/test || (git describe --always --dirty > $(NETPARTS)/commit && $(GO) test -c -o $(NETPARTS)/test ./internal/execute)
	cd internal/execute && for first in $$(seq 1 100 $(NETS)); do for kind in $(NETKINDS); do \
		part=$(NETPARTS)/part.$$kind.$$first; limit=30000; case $$kind in Meddling*) limit=4000; esac; \
		test -f $$part || $(NETPARTS)/test -test.timeout 1h -test.run "^TestAgreeNet$$kind\$$" -firstnet $$first -netseeds 100 -netlimit $$limit \
			-firstmixed $$first -mixedseeds 100 -mixedlimit 2000 -netpart $$part || bad=1; done; done; test -z "$$bad"
agreement-net-page:
	cd internal/execute && $(NETPARTS)/test -test.run '^TestAgreeNetReport$$' -netparts '$(NETPARTS)/part.*' \
		-netcommit "$$(cat $(NETPARTS)/commit)" -netpage $(CURDIR)/docs/results/agreement-net.md

# What natives and system calls are said to act on, held against what they touch in
# more programs than make test has time for.
.PHONY: rows
rows:
	$(GO) test ./internal/execute -run 'TestRowsAreTrue|TestWrongRowsAreNoticed' -rowseeds 40 -timeout 90m -v

# Heddle is killed at random moments: no peer may be left. See docs/results/leaks.md.
RUNS ?= 200
leaks:
	$(GO) run ./bench/leaks -runs $(RUNS) -o docs/results/leaks.md

# A certificate is certified by workers that are killed all the time, and so is the
# coordinator once. See docs/results/distribute.md.
.PHONY: distribute
KILLED_RUNS ?= 20
distribute:
	$(GO) run ./bench/distribute -runs $(KILLED_RUNS) -commit "$$(git describe --always --dirty)" -o docs/results/distribute.md

# Workers that lie, and a queue that does what it can: docs/results/lying.md.
.PHONY: lying
LYING = docs/results/lying.md
lying:
	@mkdir -p bin
	HEDDLE_LONG=1 $(GO) test $(BRIEF) ./internal/distribute -run 'TestLyingWorker|TestHostileQueue' -count 1 -timeout 2h -v > bin/lying.txt || { cat bin/lying.txt; exit 1; }
	printf '%s\n' '# Workers that lie, and a hostile queue' '' '`make lying` at '"$$(git describe --always --dirty)"'.' '' \
		'*Parts*: one of four workers does not say what is wrong with one part, and lies about nothing else; the coordinator is told' \
		'`-confidence 0.99 -liars 1`, draws its sample when all results are there, and catches it or not. 985 of 1,000 are asked for.' '' \
		'*Verdicts*: the queue reorders, repeats, replaces and withholds parts, tasks, results and what is told of them, each run more or less' \
		'often, with an honest worker, one that lies and one that sends noise. A third of the programs is right, a third is wrong, and a third is not that' \
		'of the certificate. A verdict that is not the one of who examines everything alone, or no end, would have failed. By others are those in which workers were believed.' '' > $(LYING)
	sed -n 's/^ *[a-z]*_test.go:[0-9]*: /- /p' bin/lying.txt >> $(LYING)

# Speed, side by side with go/ssa/interp, yaegi and native code. A module of
# its own, so that the other interpreters are not among our dependencies.
bench-vm:
	cd bench/vm && $(GO) run . -n 2

# Speed of the search, side by side with SPIN, which is installed if it can be.
bench-search:
	$(GO) run ./bench/search -o docs/results/search.md

# Tables of papers 000, 002, 003 and 004, see docs/results/paper000.md, paper002.md, paper003.md and paper004.md; ROWS chooses some,
# as ROWS=alphabet/3x5, but not of paper 002, and PAPERS one of the papers.
PAPERS ?= 000 002 003 004
bench-papers: build
	for paper in $(PAPERS); do \
		if [ $$paper = 002 ]; then $(MAKE) paper002; else $(GO) run ./bench/papers -paper $$paper -rows '$(ROWS)'; fi || bad=1; \
	done; test -z "$$bad"

# Programs with two connections to servers that do not repeat themselves: see docs/results/fixed.md.
.PHONY: fixed
fixed:
	$(GO) run ./bench/fixed -o docs/results/fixed.md

# Programs with several connections to a server that keeps something: see docs/results/keepers.md.
.PHONY: keepers
keepers:
	$(GO) run ./bench/keepers -o docs/results/keepers.md

# Programs that use popular packages and talk to redis, postgres and others: see docs/results/real.md. It needs those, and
# modules of others. REAL chooses some, as REAL=redis/wrong.
.PHONY: real
REAL ?=
real:
	$(GO) run ./bench/real -run '$(REAL)' -o $(if $(REAL),/dev/stdout,docs/results/real.md)

# What a new user reads of ten bugs: see docs/results/stories.md.
.PHONY: stories
stories:
	$(GO) run ./bench/stories -o docs/results/stories.md

# Servers that are needed again and again, against an earlier commit: see docs/results/restarts.md.
.PHONY: restarts
restarts:
	$(GO) run ./bench/restarts -o docs/results/restarts.md

# One program with servers that give trouble, again and again: see docs/results/equal.md.
.PHONY: equal
EQUAL_RUNS ?= 50
equal:
	$(GO) run ./bench/equal -runs $(EQUAL_RUNS) -o docs/results/equal.md

# Networked programs, natively and in the search: see docs/results/outcomes.md.
.PHONY: outcomes
outcomes:
	$(GO) run ./bench/outcomes -runs $(RUNS) -o docs/results/outcomes.md

# Random mCRL2 specifications, linearised, transformed and interpreted: strongly
# bisimilar. And with dist and times, searched symbolically and one by one: the same. With
# confluent tau steps left out: branching bisimilar.
.PHONY: mcrl2-agreement bench-mcrl2
SPECIFICATIONS ?= 5000
mcrl2-agreement:
	HEDDLE_MCRL2_AGREEMENT=$(SPECIFICATIONS) $(GO) test -run 'Agreement|Chances|Symbolic|Confluence' -v -count 1 -timeout 120m ./internal/mcrl2/randspec

# Formulas that tell 500 pairs of random graphs apart, judged by heddle check, and
# evidence of 300 random formulas that do not hold, judged by a naive checker.
.PHONY: mcrl2-answers
mcrl2-answers:
	HEDDLE_LONG=1 $(GO) test $(BRIEF) -run 'TestDistinguish|TestWhy' -count 1 -timeout 60m -v ./internal/model ./internal/mcrl2/mucalc

# Speed of the search of models; the page is docs/results/mcrl2.md.
bench-mcrl2:
	$(GO) build -o bin/bench-mcrl2 ./bench/mcrl2
	bin/bench-mcrl2 -o docs/results/mcrl2.md

# The specifications of bench/models: sizes, and the verdict on one property each. The page is docs/results/models.md.
.PHONY: models
models:
	$(GO) run ./bench/models -commit $$(git describe --always --dirty) -o docs/results/models.md

# Changed certificates and checkpoints with right sums, given to every command that reads them; the
# page is docs/results/hostile.md.
.PHONY: hostile
CERTIFICATES ?= 10000
CHECKPOINTS ?= 2000
HOSTILE = docs/results/hostile.md
hostile:
	printf '%s\n' '# Hostile files' '' 'Commit '"$$(git describe --always --dirty)"', `make hostile CERTIFICATES=$(CERTIFICATES) CHECKPOINTS=$(CHECKPOINTS)`.' '' \
		'Something is changed in an honest file (bits, bytes, numbers, JSON, lines, the order of sections), one to three times, and all sums and' \
		'digests are made right again (`internal/hostile`). *Right* is given the program that the honest file is of, *wrong* the same program' \
		'without the argument that makes it right: half of the certificates are made of one whose header already says so. A wrong word is exit' \
		'code 0 there. *Sealed* checkpoints have a right seal, too, which only the user can make: they may say what is not so. Allocated is all' \
		'that a command has allocated, which is more than it holds at a time.' > $(HOSTILE)
	$(COLLECT) $(GO) test $(BRIEF) ./internal/cli -run 'TestHostile' -count 1 -timeout 2h -hostile-certificates $(CERTIFICATES) -hostile-checkpoints $(CHECKPOINTS) -hostile-page $(CURDIR)/$(HOSTILE)

# Every fuzz target of every package, FUZZTIME each.
fuzz:
	@for pkg in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u); do \
		for target in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' $$pkg/*_test.go | cut -c6- | sort -u); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) ./$$pkg || exit 1; \
		done; \
	done

clean:
	rm -rf bin
