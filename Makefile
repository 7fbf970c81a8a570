# SPDX-License-Identifier: GPL-2.0-only
#
# Short names for the usual steps; CMake does the work.
BUILD  ?= build
PREFIX ?= /usr/local
SOURCES = git ls-files '*.h' '*.cc' '*.c'

.DEFAULT_GOAL := all
.PHONY: all test check bench install format clean help

all: ## build everything into build/
	@test -f $(BUILD)/build.ninja || cmake --preset dev -B $(BUILD)
	cmake --build $(BUILD)

test: all ## build and run all tests
	ctest --test-dir $(BUILD) --output-on-failure --parallel "$$(nproc)"

check: ## what CI runs: packages, all tests, then the fuzz corpora under sanitizers
	scripts/test

bench: all ## measure every speed figure, side by side with its bar
	bench/ratios.sh $(BUILD)

install: ## build without tests and install below PREFIX (/usr/local)
	cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	cmake --build --preset release
	cmake --install build-release

format: ## format the C and C++ sources in place
	$(SOURCES) | xargs clang-format -i

clean: ## remove every build tree
	rm -rf $(BUILD) build-*/

help: ## this text
	@awk -F':.*## ' '/^[a-z]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
