// SPDX-License-Identifier: GPL-2.0-only
#include "job_templates/job_value.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

TEST(JobValue, RefusesWhatFioReadsAsSomethingElse) {
  for (const char* value :
       {"/a;b", "/a#b", ";", "/a\nb", "/${A}", "/${", "/$pagesize", "/x$mb_memory/y", "$ncpus"}) {
    const Result<void> checked = CheckJobValue("target_root", value);
    ASSERT_FALSE(checked) << value;
    EXPECT_EQ(checked.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(checked.error().where.item, "target_root");
    EXPECT_FALSE(checked.error().mend.empty());
    EXPECT_EQ(checked.error().what.find('\n'), std::string::npos);
  }
  EXPECT_FALSE(CheckJobValue("trace", std::string_view("/a\0b", 4)));
}

TEST(JobValue, RefusesBlanksAtTheEndOnly) {
  for (const std::string blank : {" ", "\t", "\v", "\f", "\r", "\x01", "\x7f"}) {
    EXPECT_FALSE(CheckJobValue("trace", "/a" + blank));
    EXPECT_TRUE(CheckJobValue("trace", "/a" + blank + "b"));
  }
}

TEST(JobValue, TakesEverythingElse) {
  for (const char* value :
       {"", "/a b", "/a=b", "/a,b:c", "/$HOME", "/a$b{c}", "/$pages", "/\"q\"", "/it's",
        "/back\\slash", "/[x]", "/100%", "/*?", "/\xc3\xa9", "/\xff"}) {
    EXPECT_TRUE(CheckJobValue("trace", value)) << value;
  }
}

TEST(JobValue, EndsWhereFiosLineBufferEnds) {
  const std::string option = "target_root";
  const std::string longest(kFioLineBytes - option.size() - 3, 'a');
  EXPECT_TRUE(CheckJobValue(option, longest));
  EXPECT_FALSE(CheckJobValue(option, longest + "a"));
}

TEST(JobValue, TakesNoCommaInTheEngine) {
  EXPECT_TRUE(CheckJobEngine("/lib:x/libioflux.so"));
  EXPECT_FALSE(CheckJobEngine("/lib,x/libioflux.so"));
  EXPECT_FALSE(CheckJobEngine("/lib;x/libioflux.so"));
}

}  // namespace
}  // namespace ioflux
