# SPDX-License-Identifier: GPL-2.0-only
#
# cmake -DIOFLUX=program -DFOLDER=folder -P WriteManPages.cmake
#
# Writes every manual page the program knows into FOLDER, which holds nothing else.
execute_process(COMMAND ${IOFLUX} --man-list OUTPUT_VARIABLE pages COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" pages "${pages}")
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
foreach(page ${pages})
  execute_process(COMMAND ${IOFLUX} --man ${page} OUTPUT_FILE ${FOLDER}/${page}.1 COMMAND_ERROR_IS_FATAL ANY)
endforeach()
