# SPDX-License-Identifier: GPL-2.0-only
#
# The installed fio and the headers it was built from.
#
# An external engine is tied to the exact fio it was compiled for, so the source must be that of the installed
# program. -DFIO_SOURCE_DIR= names a tree; otherwise scripts/fetch-fio-source unpacks the source package into
# the build tree, once. Only headers are used: fio's ./configure is not run and nothing of fio is compiled.
#
# Gives the target ioflux_fio_headers (C only) and
#   FIO_EXECUTABLE       the installed fio
#   FIO_SOURCE_VERSION   the version of the tree, as `fio --version` prints it, e.g. fio-3.33
# Stops the configure step with advice when any of it cannot be had.

set(_fio_way_out
  "Without the engine everything but the replay itself can be built (trace tools and reports): -DIOFLUX_ENGINE=OFF")

find_program(FIO_EXECUTABLE fio)
if(NOT FIO_EXECUTABLE)
  message(FATAL_ERROR "fio is not installed, and the engine is built for the installed fio.\n"
                      "Try: scripts/install-packages, or apt-get install fio\n${_fio_way_out}")
endif()
execute_process(COMMAND ${FIO_EXECUTABLE} --version
                OUTPUT_VARIABLE _fio_installed OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE _fio_result ERROR_VARIABLE _fio_error)
if(NOT _fio_result EQUAL 0)
  message(FATAL_ERROR "${FIO_EXECUTABLE} --version failed (${_fio_result}): ${_fio_error}\n${_fio_way_out}")
endif()

if(FIO_SOURCE_DIR)
  get_filename_component(_fio_tree "${FIO_SOURCE_DIR}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")
else()
  set(_fio_tree ${CMAKE_BINARY_DIR}/fio-source)
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../scripts/fetch-fio-source ${_fio_tree}
                  RESULT_VARIABLE _fio_result ERROR_VARIABLE _fio_error)
  if(NOT _fio_result EQUAL 0)
    # The leading spaces keep CMake from filling the lines anew.
    string(REPLACE "\n" "\n  " _fio_error "  ${_fio_error}")
    message(FATAL_ERROR "The source of the installed ${_fio_installed} could not be fetched:\n${_fio_error}\n"
                        "Try one of:\n"
                        "  add deb-src to the system's apt sources, apt-get update, configure again\n"
                        "  -DFIO_SOURCE_DIR=DIRECTORY, an unpacked source tree of ${_fio_installed}\n"
                        "  -DIOFLUX_ENGINE=OFF, everything but the replay itself: trace tools and reports")
  endif()
endif()

foreach(_fio_header fio.h ioengines.h)
  if(NOT EXISTS "${_fio_tree}/${_fio_header}")
    message(FATAL_ERROR "${_fio_tree} is not a source tree of fio: it has no ${_fio_header}.\n"
                        "Try: -DFIO_SOURCE_DIR=DIRECTORY with the source of ${_fio_installed}, or leave it empty "
                        "to have it fetched. ${_fio_way_out}")
  endif()
endforeach()

# In the order of fio's FIO-VERSION-GEN: what a build or a release left behind, git, the default.
set(FIO_SOURCE_VERSION "")
if(EXISTS "${_fio_tree}/FIO-VERSION-FILE")
  file(STRINGS "${_fio_tree}/FIO-VERSION-FILE" _fio_line LIMIT_COUNT 1)
  string(REGEX REPLACE "^FIO_VERSION = " "" FIO_SOURCE_VERSION "${_fio_line}")
elseif(EXISTS "${_fio_tree}/.git")
  find_package(Git QUIET)
  if(GIT_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${_fio_tree} describe --match "fio-[0-9]*" --abbrev=4 HEAD
                    OUTPUT_VARIABLE FIO_SOURCE_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(NOT FIO_SOURCE_VERSION AND EXISTS "${_fio_tree}/FIO-VERSION-GEN")
  file(STRINGS "${_fio_tree}/FIO-VERSION-GEN" _fio_line REGEX "^DEF_VER=" LIMIT_COUNT 1)
  string(REGEX REPLACE "^DEF_VER=" "" FIO_SOURCE_VERSION "${_fio_line}")
endif()
if(NOT FIO_SOURCE_VERSION MATCHES "^fio-[0-9]")
  message(FATAL_ERROR "${_fio_tree} does not say which version of fio it is (FIO-VERSION-FILE, FIO-VERSION-GEN).\n"
                      "Try: -DFIO_SOURCE_DIR=DIRECTORY with the whole source of ${_fio_installed}. ${_fio_way_out}")
endif()
if(NOT FIO_SOURCE_VERSION STREQUAL _fio_installed)
  message(WARNING "The fio source in ${_fio_tree} is ${FIO_SOURCE_VERSION}, but ${FIO_EXECUTABLE} is "
                  "${_fio_installed}: the engine will refuse to load in it.")
endif()

set(CONFIG_64BIT FALSE)
set(CONFIG_32BIT FALSE)
math(EXPR _fio_bits "8 * ${CMAKE_SIZEOF_VOID_P}")
set(CONFIG_${_fio_bits}BIT TRUE)
set(CONFIG_${CMAKE_C_BYTE_ORDER} TRUE) # LITTLE_ENDIAN or BIG_ENDIAN
file(STRINGS "${_fio_tree}/fio_time.h" _fio_line REGEX "in_ramp_period" LIMIT_COUNT 1)
string(COMPARE NOTEQUAL "${_fio_line}" "" HAVE_IN_RAMP_PERIOD)
set(_fio_config ${CMAKE_BINARY_DIR}/fio-config/config-host.h)
configure_file(${CMAKE_CURRENT_LIST_DIR}/fio-config-host.h.in ${_fio_config})

add_library(ioflux_fio_headers INTERFACE)
target_include_directories(ioflux_fio_headers SYSTEM INTERFACE
  $<$<COMPILE_LANGUAGE:C>:${_fio_tree}> $<$<COMPILE_LANGUAGE:C>:${CMAKE_BINARY_DIR}/fio-config>)
target_compile_definitions(ioflux_fio_headers INTERFACE
  $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE> $<$<COMPILE_LANGUAGE:C>:BITS_PER_LONG=${_fio_bits}>)
target_compile_options(ioflux_fio_headers INTERFACE "$<$<COMPILE_LANGUAGE:C>:SHELL:-include \"${_fio_config}\">")

# One compilation now says what is wrong with the tree, instead of the engine's files later.
set(_fio_probe_key "${_fio_tree} ${FIO_SOURCE_VERSION} ${CMAKE_C_COMPILER}")
if(NOT FIO_HEADERS_COMPILE STREQUAL _fio_probe_key)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # fio's functions are in fio: there is nothing to link
  try_compile(_fio_compiles SOURCE_FROM_CONTENT probe.c
    "#include \"fio.h\"\n#include \"optgroup.h\"\nint probe(struct thread_data *td) { return td->thread_number; }\n"
    COMPILE_DEFINITIONS -D_GNU_SOURCE -DBITS_PER_LONG=${_fio_bits} -include ${_fio_config}
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${_fio_tree}"
    OUTPUT_VARIABLE _fio_error)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  if(NOT _fio_compiles)
    string(REGEX MATCH "[^\n]*error:[^\n]*" _fio_error "${_fio_error}")
    message(FATAL_ERROR "The headers in ${_fio_tree} (${FIO_SOURCE_VERSION}) do not compile:\n  ${_fio_error}\n"
                        "Try: -DFIO_SOURCE_DIR=DIRECTORY with the whole source of ${_fio_installed}. ${_fio_way_out}")
  endif()
  set(FIO_HEADERS_COMPILE ${_fio_probe_key} CACHE INTERNAL "The fio source that was seen to compile")
endif()

message(STATUS "Engine for ${FIO_SOURCE_VERSION}: headers from ${_fio_tree}")
set(FioSource_FOUND TRUE)
