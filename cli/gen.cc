// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux gen`: makes synthetic traces.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "base/atomic_file.h"
#include "cli/command.h"
#include "cli/option_types.h"
#include "trace_tools/generate/checkpoint_write.h"
#include "trace_tools/generate/training_read.h"

namespace ioflux {
namespace {

constexpr const char* kSizes =
    "SIZE: bytes, or a number with KiB MiB GiB TiB PiB or K M G T P (powers of 1024), KB MB GB TB\n"
    "PB (powers of 1000), in any case; fractions when they are whole bytes (1.5MiB).\n"
    "DURATION: a number with ns us ms s min h d (200ms, 1.5s).\n"
    "INT: decimal, 0x, 0o or 0b, with _ between digits if wanted.\n";

constexpr const char* kOutput =
    "The file appears under its name when it is complete and checked; until then, and after any\n"
    "error, what stood there stays. Equal flags give equal bytes.\n";

/// Gives the same trace every time.
using Generator = std::function<Result<GeneratedTrace>()>;

class NullSink final : public ByteSink {
 public:
  Result<void> Write(std::string_view /*bytes*/) override { return {}; }
};

/// What is printed cannot be taken back: the trace is made once to check all of it, then once more.
Result<void> PrintTrace(const Generator& generate) {
  IOFLUX_ASSIGN_OR_RETURN(GeneratedTrace tried, generate());
  NullSink nowhere;
  IOFLUX_RETURN_IF_ERROR(WriteGeneratedTrace(std::move(tried), nowhere));
  IOFLUX_ASSIGN_OR_RETURN(GeneratedTrace trace, generate());
  DescriptorSink standard_output(STDOUT_FILENO, "standard output");
  return WriteGeneratedTrace(std::move(trace), standard_output);
}

Result<void> WriteTrace(const Generator& generate, const std::string& path_or_dash) {
  if (path_or_dash == "-") return PrintTrace(generate);
  IOFLUX_ASSIGN_OR_RETURN(GeneratedTrace trace, generate());
  IOFLUX_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path_or_dash));
  IOFLUX_RETURN_IF_ERROR(WriteGeneratedTrace(std::move(trace), file));
  return file.Commit();
}

ExitCode FinishGen(const Generator& generate, const std::string& path_or_dash) {
  const Result<void> written = WriteTrace(generate, path_or_dash);
  if (!written) return PrintError(written.error());
  PrintWrote(path_or_dash);
  return kExitGood;
}

void AddOutputOption(CLI::App& command, std::string& path_or_dash) {
  AddTextOption(command, "-o,--output", path_or_dash, "FILE",
                "The trace to write; - is standard output")
      ->required()
      ->group("Output");
}

void AddModelOptions(CLI::App& command, TimingModel& model) {
  AddSizeOption(command, "--model-bandwidth", model.bandwidth_bytes_per_s,
                "Bytes per second at which a READ or WRITE moves its data; > 0. Absent: in no time")
      ->group("Modelled time");
  AddDurationOption(command, "--model-latency", model.latency_ns,
                    "What every op takes, data or not, before its bytes. Absent: nothing")
      ->group("Modelled time");
}

struct TrainingReadOptions {
  TrainingReadParams params;
  std::int64_t prefetch_depth = 2;
  std::string output;
};

void AddTrainingReadParams(CLI::App& command, TrainingReadOptions& options) {
  TrainingReadParams& params = options.params;
  AddIntegerOption(command, "--shards", params.shards, "Files; > 0");
  AddSizeOption(command, "--shard-size", params.shard_bytes, "Size of each file; > 0");
  AddSizeOption(command, "--record-size", params.record_bytes,
                "Mean size of a record, one READ each; > 0 and at most --shard-size");
  AddTextOption(command, "--record-size-dist", params.record_size_dist, "WORD",
                "Distribution of record sizes: lognormal (sigma 0.5)");
  AddIntegerOption(command, "--epochs", params.epochs, "Times every file is read; > 0");
  AddIntegerOption(command, "--dataloader-workers", params.workers,
                   "Streams; > 0. The n-th file of an epoch goes to worker n modulo this");
  AddTextOption(command, "--read-within-shard", params.read_within_shard, "WORD",
                "Order of the records of a file: sequential or random");
  AddIntegerOption(command, "--prefetch-depth", options.prefetch_depth,
                   "Accepted for compatibility; prefetching is not modelled");
  AddBoolOption(command, "--shuffle", params.shuffle, "A new order of the files in every epoch");
  AddIntegerOption(command, "--seed", params.seed, "Of all random numbers");
}

void AddTrainingRead(CLI::App& gen, int& exit_code) {
  auto options = std::make_shared<TrainingReadOptions>();
  CLI::App* command = gen.add_subcommand(
      "training-read", "Data-loader workers that read shuffled files record by record");
  AddTrainingReadParams(*command, *options);
  AddModelOptions(*command, options->params.model);
  AddDurationOption(*command, "--compute-time", options->params.compute_ns,
                    "From the end of an op to the next op of its worker")
      ->group("Modelled time");
  AddOutputOption(*command, options->output);
  command->footer(
      "Time: without a flag of \"Modelled time\" a worker issues one op every 1 ms and no op has "
      "a\n"
      "duration (dur). With any of them every op has dur = model-latency + bytes /\n"
      "model-bandwidth, and the next op of the worker is at t + dur + compute-time, so that a\n"
      "replay in think mode waits compute-time between ops.\n\n" +
      std::string(kSizes) + "\n" + kOutput + "\n" + ExitCodeHelp());
  command->callback([command, options, &exit_code] {
    if (command->count("--prefetch-depth") > 0 && options->prefetch_depth > 1) {
      PrintErr("ioflux: warning: --prefetch-depth " + std::to_string(options->prefetch_depth) +
               " is not modelled and changes nothing\n");
    }
    exit_code =
        FinishGen([options] { return GenerateTrainingRead(options->params); }, options->output);
  });
}

struct CheckpointWriteOptions {
  CheckpointWriteParams params;
  std::string output;
};

void AddCheckpointWrite(CLI::App& gen, int& exit_code) {
  auto options = std::make_shared<CheckpointWriteOptions>();
  CheckpointWriteParams& params = options->params;
  CLI::App* command =
      gen.add_subcommand("checkpoint-write", "Ranks that write their parts of a model");
  AddSizeOption(*command, "--model-size", params.model_bytes, "Size of one checkpoint; > 0");
  AddIntegerOption(*command, "--writer-ranks", params.ranks,
                   "Streams, one file each; > 0 and at most --model-size. The last one takes the "
                   "remainder");
  AddSizeOption(*command, "--write-block", params.block_bytes, "Size of one WRITE; > 0");
  AddIntegerOption(*command, "--num-checkpoints", params.checkpoints, "Checkpoints; > 0");
  AddRealOption(*command, "--checkpoint-interval", params.interval_s,
                "Seconds from the start of one checkpoint to the next; >= 0");
  AddTextOption(*command, "--fsync", params.fsync, "WORD",
                "FSYNC before CLOSE: per-file, final (only in the last checkpoint) or none");
  AddModelOptions(*command, params.model);
  AddOutputOption(*command, options->output);
  command->footer(
      "Time: without a flag of \"Modelled time\" all ops of a checkpoint have the time at which "
      "it\n"
      "starts, and no op has a duration (dur). With one every op has dur = model-latency + bytes "
      "/\n"
      "model-bandwidth and the next op of the rank is at t + dur; a checkpoint starts at its\n"
      "interval, or when the rank has finished the one before if that is later. A replay in think\n"
      "mode then waits what is left of the interval.\n\n" +
      std::string(kSizes) + "\n" + kOutput + "\n" + ExitCodeHelp());
  command->callback([options, &exit_code] {
    exit_code =
        FinishGen([options] { return GenerateCheckpointWrite(options->params); }, options->output);
  });
}

}  // namespace

void AddGenCommand(CLI::App& app, int& exit_code) {
  CLI::App* gen = app.add_subcommand("gen", "Make a synthetic trace");
  gen->require_subcommand(1);
  gen->footer(ExitCodeHelp());
  AddTrainingRead(*gen, exit_code);
  AddCheckpointWrite(*gen, exit_code);
}

}  // namespace ioflux
