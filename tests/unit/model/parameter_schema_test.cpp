// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/spec_json.h"
#include "compute/model/parameter_schema.h"

#include <gtest/gtest.h>

#include <set>

namespace heteroscope::compute {
namespace {

Json documentOf(const std::string& kind) {
    return kind == "pooling"  ? defaultPoolingDocument()
           : kind == "matmul" ? defaultMatmulDocument()
                              : defaultNetworkDocument();
}

} // namespace

class Schema : public testing::TestWithParam<std::string> {};

TEST_P(Schema, EveryParameterIsExplainedAndFound) {
    std::set<std::string> pointers;
    for (const ParameterGroup& group : parameterGroups(GetParam())) {
        EXPECT_FALSE(group.title.empty());
        for (const Parameter& parameter : group.parameters) {
            const std::string pointer = group.pointer + "/" + parameter.key;
            EXPECT_TRUE(pointers.insert(pointer).second) << pointer;
            EXPECT_EQ(findParameter(GetParam(), pointer), &parameter);
            EXPECT_FALSE(parameter.label.empty()) << pointer;
            EXPECT_GT(parameter.help.size(), 20u) << pointer;
            EXPECT_FALSE(allowedText(parameter).empty()) << pointer;
            for (const ParameterCondition& condition : parameter.activeWhen)
                EXPECT_NE(findParameter(GetParam(), condition.pointer), nullptr) << pointer;
        }
    }
}

/// A default written out is accepted, and a value of a wrong type is refused at exactly its pointer.
TEST_P(Schema, DefaultsPassAndWrongTypesAreRefused) {
    for (const ParameterGroup& group : parameterGroups(GetParam()))
        for (const Parameter& parameter : group.parameters) {
            const std::string pointer = group.pointer + "/" + parameter.key;
            Json good = documentOf(GetParam());
            if (!parameter.required) { // which has no default
                ASSERT_TRUE(setValueAt(good, pointer, parameter.defaultValue));
            }
            EXPECT_TRUE(checkExperiment(good).empty() || pointer == "/pooling/input/values") << pointer;
            Json bad = documentOf(GetParam());
            ASSERT_TRUE(setValueAt(bad, pointer, Json::object()));
            const auto findings = checkExperiment(bad);
            ASSERT_EQ(findings.size(), 1u) << pointer;
            EXPECT_EQ(findings[0].pointer, pointer);
            EXPECT_EQ(findings[0].allowed, allowedText(parameter));
        }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Schema, testing::Values("pooling", "matmul", "network"));

TEST(SchemaKinds, UnknownKindHasNoGroups) {
    EXPECT_TRUE(parameterGroups("cooking").empty());
    EXPECT_EQ(findParameter("matmul", "/pooling/kernel"), nullptr);
}

} // namespace heteroscope::compute
