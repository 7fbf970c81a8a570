# SPDX-License-Identifier: GPL-2.0-only
#
# How every target of ours is made: language level, warnings and sanitizers come from one
# INTERFACE target, and adding a library, a test or a fuzz target is one call.

add_library(ioflux_build_options INTERFACE)
target_compile_features(ioflux_build_options INTERFACE cxx_std_20)
target_compile_options(ioflux_build_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion>
  $<$<BOOL:${IOFLUX_WERROR}>:-Werror>)
target_include_directories(ioflux_build_options INTERFACE ${PROJECT_SOURCE_DIR})
if(IOFLUX_SANITIZE)
  target_compile_options(ioflux_build_options INTERFACE
    -fsanitize=${IOFLUX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(ioflux_build_options INTERFACE -fsanitize=${IOFLUX_SANITIZE})
endif()
if(IOFLUX_COVERAGE)
  target_compile_options(ioflux_build_options INTERFACE --coverage)
  target_link_options(ioflux_build_options INTERFACE --coverage)
endif()
if(IOFLUX_FUZZ)
  target_compile_options(ioflux_build_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# ioflux_library(NAME SOURCES a.cc … [DEPENDS ioflux::x …] [PRIVATE_DEPENDS lib …])
# Makes ioflux_NAME with the alias ioflux::NAME. Position independent, since the engine links
# most of them.
function(ioflux_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(ioflux_${name} STATIC ${ARG_SOURCES})
  add_library(ioflux::${name} ALIAS ioflux_${name})
  set_target_properties(ioflux_${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(ioflux_${name}
    PUBLIC ioflux_build_options ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
endfunction()

# ioflux_test(NAME LABEL SOURCES x_test.cc … [DEPENDS ioflux::x …])
# One GoogleTest binary, discovered case by case. LABEL is unit, cli, fio or slow.
function(ioflux_test name label)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ioflux_build_options ${ARG_DEPENDS} GTest::gtest_main GTest::gmock)
  target_compile_definitions(${name} PRIVATE
    IOFLUX_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data" IOFLUX_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    IOFLUX_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${name} PROPERTIES LABELS ${label} TIMEOUT 300 DISCOVERY_TIMEOUT 60)
endfunction()

# ioflux_fuzz_target(NAME SOURCES x_fuzz.cc [DEPENDS …])
# With IOFLUX_FUZZ a libFuzzer binary; always a binary fuzz_NAME_replay that runs the seed
# corpus tests/fuzz/corpus/NAME through the same entry point, registered as an ordinary test.
function(ioflux_fuzz_target name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  if(IOFLUX_FUZZ)
    add_executable(fuzz_${name} ${ARG_SOURCES})
    target_link_libraries(fuzz_${name} PRIVATE ioflux_build_options ${ARG_DEPENDS})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    return()
  endif()
  add_executable(fuzz_${name}_replay ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cc)
  target_link_libraries(fuzz_${name}_replay PRIVATE ioflux_build_options ${ARG_DEPENDS})
  set_target_properties(fuzz_${name}_replay PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT TARGET fuzz_replays)
    add_custom_target(fuzz_replays)
  endif()
  add_dependencies(fuzz_replays fuzz_${name}_replay)
  add_test(NAME fuzz.${name}.corpus
           COMMAND fuzz_${name}_replay ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  set_tests_properties(fuzz.${name}.corpus PROPERTIES LABELS "unit;fuzz" TIMEOUT 300)
endfunction()
