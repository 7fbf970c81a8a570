/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The fio engine: the only file that includes fio's headers, and a thin translation to
 * replay_api.h.
 *
 * How fio drives it (3.33): setup() of every job serially in the parent; then, in the job's thread
 * or process, init() and per operation prep() and queue(). FIO_NOIO makes fio leave offsets,
 * lengths and buffers alone, so that prep() can say what the next operation of the trace is. fio
 * stamps start_time after prep() and the completion after queue(); we stamp nothing but the end of
 * the operation, so the default accounting costs as many clock reads as fio's own engines.
 *
 * Failures of operations are counted by the replayer and never handed to fio: fio would requeue
 * short reads and stop at the first error.
 */
#include "fio.h"
#include "optgroup.h"
#include "verify.h"

#include <dlfcn.h>

#include "ioengine/replay_api.h"

#define IOFLUX_ERROR_BYTES 4096
#define IOFLUX_KEY_BYTES 65536 /* every setting of a section, one after the other */

#ifdef HAVE_IN_RAMP_PERIOD
#define IOFLUX_IN_RAMP in_ramp_period
#else
#define IOFLUX_IN_RAMP in_ramp_time
#endif

#include "ioengine/fio_options.inc"

struct ioflux_thread {
  struct ioflux_session* session;
  struct ioflux_job* job;
  int moves_bytes;      /* the trace does */
  int idle;             /* prep() had nothing to begin; jobs of many streams */
  struct io_u** issued; /* queued and not yet committed; NULL for a job of one stream */
  uint32_t issued_count;
  int idle_sync; /* fio asks for a sync of its own (end of job): nothing of ours is open */
};

static struct ioengine_ops ioflux_ops;
static struct ioengine_ops ioflux_mux_ops;

static int64_t ns_of(const struct timespec* ts) {
  return (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec;
}

static int64_t ioflux_now_ns(void) {
  struct timespec now;

  fio_gettime(&now, NULL);
  return ns_of(&now);
}

static int runtime_is_over(struct thread_data* td) {
  return td->o.timeout && !IOFLUX_IN_RAMP(td) && utime_since_now(&td->epoch) >= td->o.timeout;
}

/*
 * Asked between operations that fio does not see, and ten times a second during waits, where fio's
 * own loop is not running: so what that loop would serve is served here. A request for status
 * holds fio's statistics until every job has answered.
 */
static int ioflux_stopping(void* cookie) {
  struct thread_data* td = cookie;

  if (fio_unlikely(*(volatile int*)&td->update_rusage)) {
    td->update_rusage = 0;
    update_rusage_stat(td);
    fio_sem_up(td->rusage_sem);
  }
  if (*(volatile const bool*)&td->terminate) return 1;
  if (td->runstate < TD_RUNNING || !runtime_is_over(td)) return 0;
  fio_mark_td_terminate(td);
  return 1;
}

static int ioflux_fail(struct thread_data* td, const char* text) {
  static char told[IOFLUX_ERROR_BYTES];

  /* every job of a section fails for the same reason; say it once */
  if (strcmp(told, text)) {
    snprintf(told, sizeof(told), "%s", text);
    log_err("ioflux: %s\n", text);
  }
  td_verror(td, EINVAL, "ioflux");
  return 1;
}

/*
 * Options of fio that would change what is replayed, or that fio would apply to its pseudo file
 * only.
 */
static const char* unsupported_option(struct thread_data* td, int many_streams) {
  const struct thread_options* o = &td->o;

  if (o->verify != VERIFY_NONE || o->verify_only) return "verify";
  if (o->read_iolog_file) return "read_iolog";
  if (o->write_iolog_file) return "write_iolog";
  if (o->rate[DDIR_READ] || o->rate[DDIR_WRITE] || o->rate_iops[DDIR_READ] ||
      o->rate_iops[DDIR_WRITE])
    return "rate";
  if (o->latency_target) return "latency_target";
  if (o->number_ios) return "number_ios";
  if (o->thinktime) return "thinktime (mode=think keeps the gaps of the trace)";
  if (o->zone_mode == ZONE_MODE_STRIDED || o->zone_mode == ZONE_MODE_ZBD) return "zonemode";
  if (o->io_submit_mode == IO_MODE_OFFLOAD) return "io_submit_mode=offload";
  if (o->fill_device) return "fill_device";
  if (o->file_append) return "file_append";
  if (o->fsync_blocks || o->fdatasync_blocks || o->end_fsync || o->fsync_on_close)
    return "fsync (the trace says when to sync)";
  if (o->iodepth > 1 && !many_streams)
    return "iodepth (one stream has one operation in flight)";
  if (!o->create_serialize) return "create_serialize=0";
  return NULL;
}

/*
 * A fio whose structures are laid out otherwise than ours would be corrupted silently; these two
 * must hold.
 */
static int layout_is_ours(struct thread_data* td) {
  return td->io_ops == &ioflux_ops && td->thread_number >= 1 &&
         tnumber_to_td(td->thread_number - 1) == td;
}

/*
 * The clones that numjobs makes follow each other and share a name.
 */
static uint32_t jobs_of_section(struct thread_data* td) {
  unsigned int first = td->thread_number - 1, last = first;

  while (first > 0 && !strcmp(tnumber_to_td(first - 1)->o.name, td->o.name)) first--;
  while (last + 1 < thread_number && !strcmp(tnumber_to_td(last + 1)->o.name, td->o.name)) last++;
  return last - first + 1;
}

/*
 * The user's iodepth is no limit here (max_inflight is); it allows an iodepth_batch, which fio cuts
 * to it. A job of many streams has an io_u for every operation in flight, one for prep() to come back
 * with, and one more, since fio ends a job for which it has none left.
 */
static int use_depth(struct thread_data* td, struct ioflux_thread* thread, uint32_t depth) {
  td->o.iodepth = td->o.iodepth_low = depth + 2;
  if (!fio_option_is_set(&td->o, iodepth_batch_complete_max))
    td->o.iodepth_batch_complete_max = td->o.iodepth;
  thread->issued = calloc(td->o.iodepth, sizeof(*thread->issued));
  td->io_ops = &ioflux_mux_ops;
  return thread->issued == NULL;
}

/* Whether the trace moves bytes. */
static int describe_to_fio(struct thread_data* td, struct ioflux_session* session) {
  struct ioflux_session_facts facts;
  struct fio_file* f = td->files[0];
  unsigned long long size;
  int i;

  ioflux_session_describe(session, &facts);
  td->o.td_ddir = (facts.reads ? TD_DDIR_READ : 0) | (facts.writes ? TD_DDIR_WRITE : 0);
  if (!td->o.td_ddir) td->o.td_ddir = TD_DDIR_READ;
  td->o.nr_files = 1;
  td->o.open_files = 1;

  /* fio ends a job that has issued this much, and counts what an operation asks for, not what it
   * moves: so more than all operations together. */
  size = facts.requested_bytes + 2 * facts.largest_op_bytes + 1;
  td->o.size = td->o.io_size = size;
  f->real_file_size = size;
  f->filetype = FIO_TYPE_FILE;
  fio_file_set_size_known(f);
  for (i = 0; i < DDIR_RWDIR_CNT; i++) {
    td->o.min_bs[i] = td->o.max_bs[i] = td->o.bs[i] =
        facts.largest_op_bytes ? facts.largest_op_bytes : 1;
    td->o.ba[i] = td->o.bs[i];
  }
  /* fio would scramble the buffer of a write between prep() and queue(). */
  td->flags &= ~(TD_F_SCRAMBLE_BUFFERS | TD_F_REFILL_BUFFERS);
  return facts.requested_bytes > 0;
}

static int ioflux_setup(struct thread_data* td) {
  struct ioflux_thread* thread;
  struct ioflux_setting settings[IOFLUX_SETTINGS];
  char error[IOFLUX_ERROR_BYTES], key[IOFLUX_KEY_BYTES];
  struct ioflux_host host = {
      .now_ns = ioflux_now_ns,
      .stopping = ioflux_stopping,
      .cookie = td,
      .read_only = read_only,
      .fio_version = fio_version_string,
      .job_name = td->o.name,
  };
  const char* option;
  size_t i, used;

  if (!layout_is_ours(td)) {
    log_err(
        "ioflux: this fio lays out its structures otherwise than the one the engine was built for "
        "(%s); "
        "build the engine against its source\n",
        IOFLUX_FIO_VERSION);
    return 1;
  }
  read_options(td->eo, settings);
  option = unsupported_option(td, !strcmp(settings[IOFLUX_INDEX_Io].value, "uring"));
  if (option) {
    snprintf(error, sizeof(error), "fio's option %s cannot be used with a trace; remove it",
             option);
    return ioflux_fail(td, error);
  }

  used = (size_t)snprintf(key, sizeof(key), "%s", td->o.name);
  for (i = 0; i < IOFLUX_SETTINGS && used < sizeof(key); i++)
    used += (size_t)snprintf(key + used, sizeof(key) - used, "\n%s", settings[i].value);

  thread = calloc(1, sizeof(*thread));
  thread->session =
      ioflux_session_open(key, settings, IOFLUX_SETTINGS, &host, error, sizeof(error));
  if (thread->session)
    thread->job = ioflux_job_create(thread->session, td->subjob_number, jobs_of_section(td),
                                    td->thread_number, error, sizeof(error));
  if (!thread->job) {
    free(thread);
    return ioflux_fail(td, error);
  }
  td->io_ops_data = thread;
  thread->moves_bytes = describe_to_fio(td, thread->session);
  if (ioflux_job_depth(thread->job) && use_depth(td, thread, ioflux_job_depth(thread->job)))
    return ioflux_fail(td, "there is not enough memory for the operations in flight");
  return 0;
}

static int ioflux_init(struct thread_data* td) {
  struct ioflux_thread* thread = td->io_ops_data;
  char error[IOFLUX_ERROR_BYTES];

  if (!thread) return ioflux_fail(td, "fio starts a job before its setup; set create_serialize=1");
  if (ioflux_job_begin(thread->job, ioflux_stopping, td, error, sizeof(error)))
    return ioflux_fail(td, error);
  return 0;
}

static void ioflux_cleanup(struct thread_data* td) {
  struct ioflux_thread* thread = td->io_ops_data;
  char error[IOFLUX_ERROR_BYTES];
  uint64_t failed_ops;

  if (!thread) return;
  if (ioflux_job_end(thread->job,
                     td->error             ? "error"
                     : runtime_is_over(td) ? "runtime"
                                           : "terminated",
                     &failed_ops, error, sizeof(error)))
    log_err("ioflux: %s\n", error);
  /* so that the exit status of a plain fio cannot say that all went well */
  if (failed_ops && !td->error) {
    td_verror(td, EIO, "ioflux: operations failed, see the side file");
  }
  ioflux_session_close(thread->session);
  free(thread->issued);
  free(thread);
  td->io_ops_data = NULL;
}

/*
 * fio ends a job after a pass that moved no byte, whatever loops= and time_based say, so such a job
 * starts its next pass here. Its count begins anew when the ramp time ends, which may be with the
 * last operation of a pass.
 */
static int next_pass_is_ours(struct thread_data* td, const struct ioflux_thread* thread) {
  if (thread->moves_bytes && ddir_rw_sum(td->this_io_bytes)) return 0;
  if (td->o.time_based) return 1;
  if (!td->o.loops) return 0;
  td->o.loops--;
  return 1;
}

static enum ioflux_step next_step(struct thread_data* td, struct ioflux_thread* thread,
                                  struct ioflux_request* request) {
  enum ioflux_step step;

  do {
    step = ioflux_job_next(thread->job, request, ioflux_stopping, td);
  } while (step == IOFLUX_STEP_END_OF_PASS && next_pass_is_ours(td, thread) &&
           !ioflux_stopping(td));
  return step;
}

static int ioflux_prep(struct thread_data* td, struct io_u* io_u) {
  struct ioflux_thread* thread = td->io_ops_data;
  struct ioflux_request request;

  if (fio_unlikely(td->runstate == TD_FSYNCING)) {
    thread->idle_sync = 1;
    return 0;
  }
  switch (next_step(td, thread, &request)) {
    case IOFLUX_STEP_OPERATION:
      break;
    case IOFLUX_STEP_IDLE:
      /* queue() answers that it is busy, and fio comes for what has ended */
      thread->idle = 1;
      io_u->ddir = io_u->acct_ddir = DDIR_WAIT;
      io_u->buflen = io_u->xfer_buflen = 0;
      return 0;
    case IOFLUX_STEP_END_OF_PASS:
      /* fio has already taken this pass off loops; without `done` it would start another. */
      if (!td->o.time_based && !td->o.loops) td->done = 1;
      return 1;
    case IOFLUX_STEP_STOPPED:
      /* also when another job of the run says so; fio must not begin another pass */
      fio_mark_td_terminate(td);
      td->done = 1;
      return 1;
  }
  io_u->ddir = request.direction == IOFLUX_READ    ? DDIR_READ
               : request.direction == IOFLUX_WRITE ? DDIR_WRITE
                                                   : DDIR_SYNC;
  io_u->acct_ddir = io_u->ddir;
  io_u->offset = request.offset;
  io_u->verify_offset = request.offset;
  io_u->buflen = io_u->xfer_buflen = request.length_bytes;
  io_u->buf = io_u->xfer_buf = request.buffer;
  return 0;
}

static enum fio_q_status ioflux_queue(struct thread_data* td, struct io_u* io_u) {
  struct ioflux_thread* thread = td->io_ops_data;

  if (fio_unlikely(thread->idle_sync)) {
    thread->idle_sync = 0;
    return FIO_Q_COMPLETED;
  }
  if (fio_unlikely(td->o.disable_lat)) fio_gettime(&io_u->start_time, NULL);
  io_u->issue_time = io_u->start_time;
  /* What was moved is the whole transfer: a residual would make fio requeue the rest. */
  io_u->xfer_buflen = ioflux_job_execute(thread->job, ns_of(&io_u->start_time));
  return FIO_Q_COMPLETED;
}

static struct io_u* ioflux_no_event(struct thread_data* td, int event) {
  return NULL; /* every operation completes in queue() */
}

static int ioflux_no_getevents(struct thread_data* td, unsigned int min, unsigned int max,
                               const struct timespec* t) {
  return 0;
}

/* The same hooks for a job of many streams. */

static enum fio_q_status ioflux_mux_queue(struct thread_data* td, struct io_u* io_u) {
  struct ioflux_thread* thread = td->io_ops_data;
  uint64_t moved_bytes;

  if (fio_unlikely(thread->idle_sync)) {
    thread->idle_sync = 0;
    return FIO_Q_COMPLETED;
  }
  if (thread->idle) {
    thread->idle = 0;
    return FIO_Q_BUSY;
  }
  if (fio_unlikely(td->o.disable_lat)) fio_gettime(&io_u->start_time, NULL);
  if (ioflux_job_issue(thread->job, io_u, ns_of(&io_u->start_time), &moved_bytes)) {
    io_u->issue_time = io_u->start_time;
    io_u->xfer_buflen = moved_bytes;
    return FIO_Q_COMPLETED;
  }
  thread->issued[thread->issued_count++] = io_u;
  return FIO_Q_QUEUED;
}

/*
 * Stamped before they go to the kernel: what is cached is over when that returns.
 */
static int ioflux_mux_commit(struct thread_data* td) {
  struct ioflux_thread* thread = td->io_ops_data;
  struct timespec now;
  uint32_t i;

  if (!thread->issued_count) return 0;
  fio_gettime(&now, NULL);
  for (i = 0; i < thread->issued_count; i++) {
    thread->issued[i]->issue_time = now;
    io_u_queued(td, thread->issued[i]);
  }
  io_u_mark_submit(td, thread->issued_count);
  thread->issued_count = 0;
  ioflux_job_submit(thread->job, ns_of(&now));
  return 0;
}

static int ioflux_mux_getevents(struct thread_data* td, unsigned int min, unsigned int max,
                                const struct timespec* t) {
  struct ioflux_thread* thread = td->io_ops_data;

  return (int)ioflux_job_reap(thread->job, min, max, ioflux_stopping, td);
}

static struct io_u* ioflux_mux_event(struct thread_data* td, int event) {
  struct ioflux_thread* thread = td->io_ops_data;
  uint64_t moved_bytes;
  struct io_u* io_u = ioflux_job_completed(thread->job, (uint32_t)event, &moved_bytes);

  io_u->xfer_buflen = moved_bytes;
  return io_u;
}

static int ioflux_file_ok(struct thread_data* td, struct fio_file* f) { return 0; }

static struct ioengine_ops ioflux_ops = {
    .name = "ioflux",
    .version = FIO_IOOPS_VERSION,
    .flags = FIO_NOIO | FIO_DISKLESSIO | FIO_NODISKUTIL | FIO_NOEXTEND | FIO_UNIDIR | FIO_FAKEIO |
             FIO_NO_OFFLOAD | FIO_ASYNCIO_SETS_ISSUE_TIME,
    .setup = ioflux_setup,
    .init = ioflux_init,
    .prep = ioflux_prep,
    .queue = ioflux_queue,
    .event = ioflux_no_event,
    .getevents = ioflux_no_getevents,
    .cleanup = ioflux_cleanup,
    .open_file = ioflux_file_ok,
    .close_file = ioflux_file_ok,
    .invalidate = ioflux_file_ok,
    .unlink_file = ioflux_file_ok,
    .get_file_size = ioflux_file_ok,
    .options = ioflux_fio_options,
    .option_struct_size = sizeof(struct ioflux_options),
};

/* Apart from ioflux_ops, since fio accounts otherwise for an engine with commit(). */
__attribute__((constructor)) static void make_mux_ops(void) {
  ioflux_mux_ops = ioflux_ops;
  ioflux_mux_ops.queue = ioflux_mux_queue;
  ioflux_mux_ops.commit = ioflux_mux_commit;
  ioflux_mux_ops.getevents = ioflux_mux_getevents;
  ioflux_mux_ops.event = ioflux_mux_event;
}

/*
 * fio checks only a number that several incompatible versions share, so the exact version is
 * compared here, before fio looks at anything of ours. Leaving *ops NULL makes fio refuse the
 * engine.
 */
void get_ioengine(struct ioengine_ops** ops);

__attribute__((visibility("default"))) void get_ioengine(struct ioengine_ops** ops) {
  static int told;

  *ops = NULL;
  if (!strcmp(fio_version_string, IOFLUX_FIO_VERSION)) {
    *ops = &ioflux_ops;
  } else if (!told) {
    told = 1;
    log_err(
        "ioflux: this engine was built for %s and cannot run in %s; build it again on this host\n",
        IOFLUX_FIO_VERSION, fio_version_string);
  }
}
