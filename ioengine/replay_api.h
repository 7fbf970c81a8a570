/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The plain-C door between fio_plugin.c, which knows fio and nothing of traces, and the replayer,
 * which knows traces and nothing of fio.
 *
 * Nothing here throws or prints. Functions that can fail fill `error` (a buffer of `error_bytes`,
 * always terminated) and return NULL or non-zero. Times are nanoseconds of the host's clock.
 *
 * Order of calls: session_open and job_create for every job, from one thread; then in the thread
 * (or forked process) of each job begin, {next, execute} ... or, for a job of many streams,
 * {next, issue, submit, reap} ..., end; session_close once per
 * session_open.
 */
#ifndef IOFLUX_REPLAY_API_H
#define IOFLUX_REPLAY_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ioflux_session;
struct ioflux_job;

struct ioflux_setting {
  const char* option; /* name in settings.def */
  const char* value;
};

struct ioflux_host {
  int64_t (*now_ns)(void);
  int (*stopping)(void* cookie); /* asked while loading and preparing; may be NULL */
  void* cookie;
  int read_only;
  const char* fio_version;
  const char* job_name;
};

struct ioflux_session_facts {
  uint64_t ops;
  uint64_t requested_bytes; /* what the ops ask for, which can be more than they move */
  uint64_t largest_op_bytes;
  uint32_t streams;
  int reads, writes; /* whether data ops of that direction occur */
};

enum ioflux_step {
  IOFLUX_STEP_OPERATION,
  IOFLUX_STEP_IDLE, /* nothing to begin before something in flight has ended or time has passed */
  IOFLUX_STEP_END_OF_PASS,
  IOFLUX_STEP_STOPPED
};
enum ioflux_direction { IOFLUX_SYNC, IOFLUX_READ, IOFLUX_WRITE };

struct ioflux_request {
  enum ioflux_direction direction;
  uint64_t offset;
  uint64_t length_bytes;
  void* buffer; /* NULL if no data moves */
};

/* One session per key: a later call with the same key returns the same session and ignores the
 * settings. */
struct ioflux_session* ioflux_session_open(const char* key, const struct ioflux_setting* settings,
                                           size_t count, const struct ioflux_host* host,
                                           char* error, size_t error_bytes);
void ioflux_session_describe(const struct ioflux_session* session,
                             struct ioflux_session_facts* facts);
void ioflux_session_close(struct ioflux_session* session);

struct ioflux_job* ioflux_job_create(struct ioflux_session* session, uint32_t index, uint32_t count,
                                     uint32_t job_number, char* error, size_t error_bytes);
/* Waits for the start that all jobs have in common; `stopping` is asked at least every 100 ms. */
int ioflux_job_begin(struct ioflux_job* job, int (*stopping)(void*), void* cookie, char* error,
                     size_t error_bytes);
/* Waits until the operation is due; `stopping` is asked at least every 100 ms. */
enum ioflux_step ioflux_job_next(struct ioflux_job* job, struct ioflux_request* request,
                                 int (*stopping)(void*), void* cookie);
/* Bytes moved. Jobs of one stream only. */
uint64_t ioflux_job_execute(struct ioflux_job* job, int64_t start_ns);

/* Jobs of many streams only, see mux_replayer.h. */
/* Most operations in flight at the same time; 0 for a job of one stream. */
uint32_t ioflux_job_depth(const struct ioflux_job* job);
/* 1: it is over and moved `moved_bytes`. 0: it comes back from reap as `host_op`. */
int ioflux_job_issue(struct ioflux_job* job, void* host_op, int64_t start_ns,
                     uint64_t* moved_bytes);
/* What was issued starts at `start_ns`. */
void ioflux_job_submit(struct ioflux_job* job, int64_t start_ns);
uint32_t ioflux_job_reap(struct ioflux_job* job, uint32_t least, uint32_t most,
                         int (*stopping)(void*), void* cookie);
/* Of the last reap. */
void* ioflux_job_completed(const struct ioflux_job* job, uint32_t index, uint64_t* moved_bytes);

/* Ends a job, also one that never began, and frees it. `stop_reason` is "" when the job ran to its
 * end. Writes the side file when it was the last. `failed_ops` gets how many of its operations
 * failed. */
int ioflux_job_end(struct ioflux_job* job, const char* stop_reason, uint64_t* failed_ops,
                   char* error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
