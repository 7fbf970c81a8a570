// SPDX-License-Identifier: GPL-2.0-only
//
// The C door: looks sessions up by key, turns Results and exceptions into text. No exception
// crosses it.
#include "ioengine/replay_api.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "ioengine/replay/session.h"
#include "ioengine/replay/setting_words.h"

using ioflux::DataDirection;
using ioflux::Error;
using ioflux::JobReplayer;
using ioflux::MuxReplayer;
using ioflux::ReplayJob;
using ioflux::ReplayRequest;
using ioflux::ReplaySession;
using ioflux::ReplaySettings;
using ioflux::Result;

struct ioflux_session {
  std::unique_ptr<ReplaySession> session;
  std::string key;
  int users = 0;
};

struct ioflux_job {
  ReplayJob* replayer = nullptr;
  JobReplayer* blocking = nullptr;  // the same, if it replays one stream
  MuxReplayer* mux = nullptr;       // the same, if it replays many
  ReplaySession* session = nullptr;
  bool began = false;
};

namespace {

std::mutex sessions_mutex;

std::map<std::string, std::unique_ptr<ioflux_session>>& Sessions() {
  static std::map<std::string, std::unique_ptr<ioflux_session>> sessions;
  return sessions;
}

/// In the words of a job file, which is what a user of fio sees.
void PutError(const std::string& text, char* error, std::size_t error_bytes) {
  if (error == nullptr || error_bytes == 0) return;
  std::snprintf(error, error_bytes, "%s", ioflux::FlagsToOptions(text).c_str());
}

/// Runs `body`; an exception becomes error text and the value `failed`.
template <typename Body, typename Value>
Value Guarded(char* error, std::size_t error_bytes, Value failed, Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    PutError("there is not enough memory for this trace", error, error_bytes);
  } catch (const std::exception& e) {
    PutError(std::string("internal error: ") + e.what(), error, error_bytes);
  } catch (...) {
    PutError("internal error", error, error_bytes);
  }
  return failed;
}

/// The host's question as the replayer asks it.
struct HostQuestion {
  int (*stopping)(void*);
  void* cookie;

  ioflux::StopQuestion AsStop() {
    return {.ask =
                [](void* context) {
                  const HostQuestion& question = *static_cast<HostQuestion*>(context);
                  return question.stopping(question.cookie) != 0;
                },
            .cookie = this};
  }
};

Result<ReplaySettings> SettingsOf(const ioflux_setting* settings, std::size_t count) {
  ReplaySettings result;
  for (std::size_t i = 0; i < count; ++i) {
    const ioflux::SettingInfo* info = ioflux::FindSetting(settings[i].option);
    if (info == nullptr || settings[i].value == nullptr) continue;
    IOFLUX_RETURN_IF_ERROR(result.Set(info->id, settings[i].value));
  }
  return result;
}

ioflux::HostServices ServicesOf(const ioflux_host& host) {
  ioflux::HostServices services;
  services.clock.now_ns = host.now_ns;
  if (host.stopping != nullptr) {
    services.stopping = [stopping = host.stopping, cookie = host.cookie] {
      return stopping(cookie) != 0;
    };
  }
  services.read_only = host.read_only != 0;
  services.fio_version = host.fio_version;
  services.job_name = host.job_name;
  return services;
}

}  // namespace

ioflux_session* ioflux_session_open(const char* key, const ioflux_setting* settings, size_t count,
                                    const ioflux_host* host, char* error, size_t error_bytes) {
  return Guarded(error, error_bytes, static_cast<ioflux_session*>(nullptr),
                 [&]() -> ioflux_session* {
                   const std::lock_guard lock(sessions_mutex);
                   std::unique_ptr<ioflux_session>& entry = Sessions()[key];
                   if (entry == nullptr) {
                     const Result<ReplaySettings> parsed = SettingsOf(settings, count);
                     if (!parsed) {
                       PutError(Describe(parsed.error()), error, error_bytes);
                       return nullptr;
                     }
                     Result<std::unique_ptr<ReplaySession>> opened =
                         ReplaySession::Open(parsed.value(), ServicesOf(*host));
                     if (!opened) {
                       PutError(Describe(opened.error()), error, error_bytes);
                       return nullptr;
                     }
                     entry = std::make_unique<ioflux_session>();
                     entry->session = std::move(opened).value();
                     entry->key = key;
                   }
                   ++entry->users;
                   return entry.get();
                 });
}

void ioflux_session_describe(const ioflux_session* session, struct ioflux_session_facts* facts) {
  const ioflux::LoadedTrace& trace = session->session->trace();
  *facts = {};
  facts->streams = static_cast<uint32_t>(trace.streams.size());
  for (const ioflux::StreamOps& stream : trace.streams) {
    facts->ops += stream.ops.size();
    facts->requested_bytes += static_cast<uint64_t>(stream.requested_bytes);
    facts->largest_op_bytes =
        std::max(facts->largest_op_bytes, static_cast<uint64_t>(stream.largest_op_bytes));
  }
  for (std::size_t i = 0; i < trace.op_counts.size(); ++i) {
    if (trace.op_counts[i] == 0) continue;
    const DataDirection data = ioflux::InfoOf(static_cast<ioflux::OpKind>(i)).data;
    if (data == DataDirection::kRead) facts->reads = 1;
    if (data == DataDirection::kWrite) facts->writes = 1;
  }
}

void ioflux_session_close(ioflux_session* session) {
  const std::lock_guard lock(sessions_mutex);
  if (--session->users == 0) Sessions().erase(std::string(session->key));
}

ioflux_job* ioflux_job_create(ioflux_session* session, uint32_t index, uint32_t count,
                              uint32_t job_number, char* error, size_t error_bytes) {
  return Guarded(error, error_bytes, static_cast<ioflux_job*>(nullptr), [&]() -> ioflux_job* {
    const Result<ReplayJob*> replayer = session->session->AddJob(index, count, job_number);
    if (!replayer) {
      PutError(Describe(replayer.error()), error, error_bytes);
      return nullptr;
    }
    auto job = std::make_unique<ioflux_job>();
    job->replayer = replayer.value();
    job->session = session->session.get();
    if (job->session->multiplexes()) {
      job->mux = static_cast<MuxReplayer*>(job->replayer);
    } else {
      job->blocking = static_cast<JobReplayer*>(job->replayer);
    }
    return job.release();
  });
}

int ioflux_job_begin(ioflux_job* job, int (*stopping)(void*), void* cookie, char* error,
                     size_t error_bytes) {
  return Guarded(error, error_bytes, 1, [&] {
    HostQuestion question{stopping, cookie};
    const Result<void> began = job->session->BeginJob(*job->replayer, question.AsStop());
    if (began) {
      job->began = true;
      return 0;
    }
    PutError(Describe(began.error()), error, error_bytes);
    return 1;
  });
}

namespace {

enum ioflux_step StepOf(JobReplayer::Step step) {
  switch (step) {
    case JobReplayer::Step::kEndOfPass:
      return IOFLUX_STEP_END_OF_PASS;
    case JobReplayer::Step::kStopped:
      return IOFLUX_STEP_STOPPED;
    case JobReplayer::Step::kOperation:
      break;
  }
  return IOFLUX_STEP_OPERATION;
}

enum ioflux_step StepOf(MuxReplayer::Step step) {
  switch (step) {
    case MuxReplayer::Step::kIdle:
      return IOFLUX_STEP_IDLE;
    case MuxReplayer::Step::kEndOfPass:
      return IOFLUX_STEP_END_OF_PASS;
    case MuxReplayer::Step::kStopped:
      return IOFLUX_STEP_STOPPED;
    case MuxReplayer::Step::kOperation:
      break;
  }
  return IOFLUX_STEP_OPERATION;
}

}  // namespace

enum ioflux_step ioflux_job_next(ioflux_job* job, ioflux_request* request, int (*stopping)(void*),
                                 void* cookie) {
  ReplayRequest next;
  HostQuestion question{stopping, cookie};
  const enum ioflux_step step = job->blocking != nullptr
                                    ? StepOf(job->blocking->Next(&next, question.AsStop()))
                                    : StepOf(job->mux->Next(&next, question.AsStop()));
  if (step != IOFLUX_STEP_OPERATION) return step;
  request->direction = next.direction == DataDirection::kRead    ? IOFLUX_READ
                       : next.direction == DataDirection::kWrite ? IOFLUX_WRITE
                                                                 : IOFLUX_SYNC;
  request->offset = static_cast<uint64_t>(next.offset);
  request->length_bytes = static_cast<uint64_t>(next.length_bytes);
  request->buffer = next.buffer;
  return IOFLUX_STEP_OPERATION;
}

uint64_t ioflux_job_execute(ioflux_job* job, int64_t start_ns) {
  return static_cast<uint64_t>(job->blocking->Execute(start_ns));
}

uint32_t ioflux_job_depth(const ioflux_job* job) {
  return job->mux != nullptr ? job->mux->depth() : 0;
}

int ioflux_job_issue(ioflux_job* job, void* host_op, int64_t start_ns, uint64_t* moved_bytes) {
  std::int64_t moved = 0;
  const bool is_over = job->mux->Issue(host_op, start_ns, &moved);
  *moved_bytes = static_cast<uint64_t>(moved);
  return is_over ? 1 : 0;
}

void ioflux_job_submit(ioflux_job* job, int64_t start_ns) { job->mux->Submit(start_ns); }

uint32_t ioflux_job_reap(ioflux_job* job, uint32_t least, uint32_t most, int (*stopping)(void*),
                         void* cookie) {
  HostQuestion question{stopping, cookie};
  return job->mux->Reap(least, most, question.AsStop());
}

void* ioflux_job_completed(const ioflux_job* job, uint32_t index, uint64_t* moved_bytes) {
  const MuxReplayer::Completed& completed = job->mux->completed(index);
  *moved_bytes = static_cast<uint64_t>(completed.moved_bytes);
  return completed.host_op;
}

int ioflux_job_end(ioflux_job* job, const char* stop_reason, uint64_t* failed_ops, char* error,
                   size_t error_bytes) {
  *failed_ops = 0;
  return Guarded(error, error_bytes, 1, [&] {
    const std::unique_ptr<ioflux_job> owned(job);
    for (const ioflux::StreamReplayer* stream : job->replayer->streams()) {
      *failed_ops += stream->figures().errors;
    }
    if (!job->began) {
      job->replayer->End();
      return 0;
    }
    const Result<void> ended = job->session->EndJob(*job->replayer, stop_reason);
    if (ended) return 0;
    PutError(Describe(ended.error()), error, error_bytes);
    return 1;
  });
}
