// SPDX-License-Identifier: Apache-2.0
// Every implementation on every case against the sequential one. Max pooling and whole numbers must agree
// exactly; other results within bounds that follow from the number of terms. What an implementation refuses
// must stand in unsupported.txt, and nothing else may stand there.
#include "compute/backends/builtin.h"
#include "tests/cases/gemm_cases.h"
#include "tests/cases/pool_cases.h"
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"
#include "tests/support/tensor_match.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <heteroscope_paths.h>
#include <iostream>
#include <map>
#include <set>

namespace heteroscope::compute {
namespace {

constexpr double kHalfUlp = 0x1p-24;
constexpr std::uint32_t kSeed = 35;

const BackendRegistry& builtin() {
    static const BackendRegistry registry = makeBuiltinRegistry();
    return registry;
}

/// The modules are loaded for targets on a GPU only: starting a driver takes time.
Result<std::unique_ptr<Session>> open(const std::string& target) {
    return namesGpu(parseTarget(target)->device) ? openTarget(target) : builtin().open(*parseTarget(target));
}

/// The lines of a checked-in table; what follows '#' is a remark.
std::set<std::string> readTable(const std::string& name) {
    std::ifstream file(HETEROSCOPE_SOURCE_DIR "/tests/reference/" + name);
    EXPECT_TRUE(file.is_open()) << name;
    std::set<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        line.resize(std::min(line.find('#'), line.size()));
        while (!line.empty() && line.back() == ' ')
            line.pop_back();
        if (!line.empty())
            lines.insert(line);
    }
    return lines;
}

/// "implementation op: case", the case '*' standing for all of the op's.
std::set<std::string> readUnsupported() {
    return readTable("unsupported.txt");
}

bool isListed(const std::set<std::string>& table, const std::string& implementationAndOp,
              const std::string& name) {
    return table.contains(implementationAndOp + ": " + name) || table.contains(implementationAndOp + ": *");
}

double largest(const std::vector<float>& values) {
    double result = 0;
    for (const float value : values)
        result = std::max(result, std::fabs(static_cast<double>(value)));
    return result;
}

/// Whether averages of whole numbers come out exactly whatever the order of the operations.
bool exactAverage(const PoolParams& params) {
    const auto area = static_cast<std::uint64_t>(params.kernel.h * params.kernel.w);
    return params.countIncludePad && std::has_single_bit(area);
}

struct Subject {
    std::string target;
    std::string implementation() const { return parseTarget(target)->implementation; }
    /// The implementation as the tables name it: with the kernel where the target asks for one.
    std::string tableName() const {
        const Target parsed = *parseTarget(target);
        const auto kernel = parsed.options.find("kernel");
        return parsed.implementation + (kernel == parsed.options.end() ? "" : "?kernel=" + kernel->second);
    }
};

void PrintTo(const Subject& subject, std::ostream* out) {
    *out << subject.target;
}

/// Compares an implementation with the plain loops.
class Checks {
  protected:
    /// False, with the reason, where the machine has not what it needs.
    Status use(const Subject& subject) {
        if (m_session != nullptr && subject.target == m_subject.target)
            return {};
        auto session = open(subject.target);
        if (!session)
            return session.error();
        m_subject = subject;
        m_session = std::move(*session);
        return {};
    }

    /// Whole inputs of an operation and what the plain loops make of them.
    struct Known {
        std::vector<std::vector<float>> inputs;
        std::vector<float> expected;
    };

    /// Computed once until another operation is asked for, since the plain loops take most of the time.
    const Known& known(const Op& op, Data data) {
        const std::string key =
            opName(op) + " " + opDetail(op) + " " + std::to_string(static_cast<int>(data));
        if (const auto found = m_known.find(key); found != m_known.end())
            return found->second;
        Known made{makeInputs(data, op, kSeed), {}};
        if (data == Data::Special && made.inputs.size() > 1)
            made.inputs[1] =
                makeData(Data::Integers, static_cast<std::int64_t>(made.inputs[1].size()), kSeed + 1);
        auto expected = runOp(*m_sequential, op, made.inputs);
        EXPECT_TRUE(expected.ok()) << expected.error().sentence();
        if (expected.ok())
            made.expected = std::move(*expected);
        if (m_known.size() >= kMostKnown)
            m_known.clear();
        return m_known[key] = std::move(made);
    }

    /// True when the op is refused; then the refusal is compared with the table.
    bool refused(const Op& op, const std::string& name) {
        const std::string subject = m_subject.tableName() + " " + opName(op);
        const std::string line = subject + ": " + name;
        const Support support = m_session->supports(op);
        EXPECT_EQ(support.supported, !isListed(m_allowed, subject, name))
            << line << (support.supported ? " runs but is" : " is refused but not")
            << " in tests/reference/unsupported.txt; reason given: " << support.reason;
        if (support.supported)
            return false;
        EXPECT_FALSE(support.reason.empty());
        const auto prepared = m_session->prepare(op);
        EXPECT_FALSE(prepared.ok());
        std::cout << "[ UNSUPPORTED ] " << line << " (" << support.reason << ")\n";
        return true;
    }

    void expectSame(const Op& op, const std::string& name, Data data, double bound) {
        SCOPED_TRACE(m_subject.target + " " + opName(op) + " " + name + " " + opDetail(op));
        if (refused(op, name))
            return;
        const Known& one = known(op, data);
        const auto actual = runOp(*m_session, op, one.inputs);
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        if (bound == 0.0)
            EXPECT_TRUE(sameTensor(one.expected, *actual));
        else
            EXPECT_TRUE(nearTensor(one.expected, *actual, [bound](std::size_t) { return bound; }));
    }

    /// Whether gradients of windows that overlap come out exactly: ours are added in the sequential order.
    bool sumsInOrder(const PoolParams& params, Data data) const {
        const bool overlap = params.kernel.h > params.stride.h || params.kernel.w > params.stride.w;
        const std::string implementation = m_subject.implementation();
        return data == Data::Integers || !overlap || implementation == "openmp" || implementation == "cuda";
    }

    void checkPool(const PoolCase& one, Data data) {
        const bool exact =
            one.params.mode == PoolMode::Max || (data == Data::Integers && exactAverage(one.params));
        const auto terms = static_cast<double>(one.params.kernel.h * one.params.kernel.w);
        const double scale = largest(makeData(data, 1000, kSeed));
        const double bound = exact ? 0.0 : (terms + 2) * kHalfUlp * scale;
        expectSame(PoolForward{one.params, one.src}, one.name, data, bound);
        expectSame(PoolBackward{one.params, one.src}, one.name, data,
                   bound > 0.0 || sumsInOrder(one.params, data) ? bound
                                                                : (terms + 2) * kHalfUlp * scale * terms);
    }

    enum class Special { Agrees, Differs, Refused };

    /// How one max-pooling op of infinities, NaN and zeros of both signs comes out.
    Special specialValuesOf(const Op& op) {
        const Known& one = known(op, Data::Special);
        const auto actual = runOp(*m_session, op, one.inputs);
        if (actual.ok())
            return sameTensor(one.expected, *actual) ? Special::Agrees : Special::Differs;
        EXPECT_NE(
            actual.error().sentence().find("NaN or an infinity is among the values that it reads (element "),
            std::string::npos)
            << actual.error().sentence();
        return Special::Refused;
    }

    /// What special_values.txt says of the implementation for "forward" or "backward" maxima.
    Special listedTreatment(const std::string& direction) const {
        const std::string subject = m_subject.implementation() + " maxpool." + direction;
        const auto table = readTable("special_values.txt");
        return table.contains(subject + " differs")   ? Special::Differs
               : table.contains(subject + " refuses") ? Special::Refused
                                                      : Special::Agrees;
    }

    /// An implementation named in special_values.txt must differ or refuse somewhere, every other one
    /// nowhere.
    template <class MakeOp>
    void checkSpecialValues(const std::string& direction, const MakeOp& makeOp) {
        const Special listed = listedTreatment(direction);
        int otherwise = 0;
        for (const PoolCase& one : poolCases()) {
            const Op op = makeOp(one);
            if (one.params.mode != PoolMode::Max || refused(op, one.name))
                continue;
            SCOPED_TRACE(m_subject.target + " " + opName(op) + " " + one.name);
            const Special found = specialValuesOf(op);
            otherwise += found == Special::Agrees ? 0 : 1;
            EXPECT_TRUE(found == Special::Agrees || found == listed);
        }
        EXPECT_EQ(otherwise > 0, listed != Special::Agrees);
        if (listed != Special::Agrees)
            std::cout << "[ OTHERWISE ] " << m_subject.target << " " << direction << " in " << otherwise
                      << " cases\n";
    }

    static constexpr std::size_t kMostKnown = 4;
    Subject m_subject;
    std::unique_ptr<Session> m_sequential = std::move(open("cpu/sequential")).value(), m_session;
    std::set<std::string> m_allowed = readUnsupported();
    std::map<std::string, Known> m_known;
};

/// Skips where a GPU or its library is missing.
#define USE_SUBJECT(subject)                                                                                 \
    if (const Status used = use(subject); !used && namesGpu(parseTarget((subject).target)->device))          \
        SKIP_WITHOUT(gpuWords((subject).target), used.error().sentence());                                   \
    else                                                                                                     \
        ASSERT_TRUE(used.ok()) << used.error().sentence()

class Reference : public testing::TestWithParam<Subject>, protected Checks {
  protected:
    void SetUp() override { USE_SUBJECT(GetParam()); }
};

TEST_P(Reference, PoolingOfWholeNumbers) {
    for (const PoolCase& one : poolCases())
        checkPool(one, Data::Integers);
}

TEST_P(Reference, PoolingOfReals) {
    for (const PoolCase& one : poolCases())
        checkPool(one, Data::Reals);
}

TEST_P(Reference, MaximaOfSpecialValues) {
    checkSpecialValues("forward", [](const PoolCase& one) -> Op { return PoolForward{one.params, one.src}; });
}

TEST_P(Reference, GradientsOfSpecialValues) {
    checkSpecialValues("backward", [](const PoolCase& one) -> Op {
        return PoolBackward{one.params, one.src};
    });
}

/// Several implementations in one test, so that the plain loops compute each case once.
class LargeReference : public testing::TestWithParam<std::vector<Subject>>, protected Checks {};

TEST_P(LargeReference, PoolingLargerThanTheCaches) {
    if (kTimeFactor > 1 && GetParam()[0].implementation() == "onednn") // each alone, see largeCpuSubjects()
        SKIP_AS_MEANINGLESS("a sanitizer does not see into oneDNN; the small cases show what is ours");
    for (const PoolCase& one : largePoolCases())
        for (const Subject& subject : GetParam()) {
            USE_SUBJECT(subject);
            checkPool(one, Data::Integers);
        }
}

TEST_P(LargeReference, MaximaOfSpecialValuesLargerThanTheCaches) {
    for (const PoolCase& one : largePoolCases())
        for (const Subject& subject : GetParam()) {
            USE_SUBJECT(subject);
            const Op op = PoolForward{one.params, one.src};
            SCOPED_TRACE(subject.target + " " + one.name);
            // Of the others the smaller cases show that these maxima differ or are refused.
            if (listedTreatment("forward") == Special::Agrees && one.params.mode == PoolMode::Max &&
                !refused(op, one.name)) {
                EXPECT_EQ(specialValuesOf(op), Special::Agrees);
            }
        }
}

/// Apart, because a GPU has several kernels for products and one choice of kernels for pooling.
class ReferenceProducts : public Reference {};

TEST_P(ReferenceProducts, ProductsOfWholeNumbers) {
    for (const Gemm& op : gemmCases())
        expectSame(op, opDetail(op), Data::Integers, 0.0);
}

TEST_P(ReferenceProducts, ProductsOfReals) {
    for (const Gemm& op : gemmCases()) {
        SCOPED_TRACE(GetParam().target + " " + opDetail(op));
        if (refused(op, opDetail(op)))
            continue;
        auto inputs = makeInputs(Data::Reals, op, kSeed);
        const auto expected = runOp(*m_sequential, op, inputs);
        const auto actual = runOp(*m_session, op, inputs);
        ASSERT_TRUE(expected.ok() && actual.ok());
        for (auto& input : inputs)
            std::transform(input.begin(), input.end(), input.begin(), [](float x) { return std::fabs(x); });
        const auto sizes = runOp(*m_sequential, op, inputs); // |A| * |B| scales the rounding errors
        EXPECT_TRUE(nearTensor(*expected, *actual, [&](std::size_t i) {
            return (static_cast<double>(op.k) + 2) * kHalfUlp * static_cast<double>((*sizes)[i]);
        }));
    }
}

std::vector<Subject> findCpuSubjects() {
    std::vector<Subject> all;
    const DeviceInfo cpu = builtin().devices().at(0);
    for (const ImplementationInfo& info : cpu.implementations) {
        if (info.id == "sequential" || !info.unavailableReason.empty())
            continue;
        for (const char* options : {"?threads=1", "?threads=2", "?threads=5"})
            all.push_back({"cpu/" + info.id + options});
    }
    for (const char* simd : {"baseline", "avx2", "avx512"}) {
        const std::string target = std::string("cpu/openmp?simd=") + simd + "&threads=2";
        if (open(target))
            all.push_back({target});
    }
    return all;
}

/// Found once: GoogleTest asks for them several times.
const std::vector<Subject>& cpuSubjects() {
    static const std::vector<Subject> all = findCpuSubjects();
    return all;
}

/// Known without looking at a device: where there is none, each test says so.
std::vector<Subject> gpuSubjects() {
    return {{"cuda:0/cuda"}, {"cuda:0/cublas?tf32=off"}, {"cuda:0/cudnn"}};
}

std::vector<Subject> gpuProductSubjects() {
    std::vector<Subject> all = gpuSubjects();
    for (const char* kernel : {"guarded", "loops", "tiled", "block", "block-shared", "register", "split-k",
                               "skinny-m", "skinny-n", "skinny-k"})
        all.push_back({std::string("cuda:0/cuda?kernel=") + kernel});
    return all;
}

std::vector<std::vector<Subject>> eachAlone(const std::vector<Subject>& subjects) {
    std::vector<std::vector<Subject>> all;
    for (const Subject& one : subjects)
        all.push_back({one});
    return all;
}

std::string subjectName(const testing::TestParamInfo<Subject>& info) {
    std::string name = info.param.target;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

std::string firstSubjectName(const testing::TestParamInfo<std::vector<Subject>>& info) {
    const std::string name = subjectName({info.param[0], info.index});
    return info.param.size() == 1 ? name : name + "_and_" + std::to_string(info.param.size() - 1) + "_more";
}

/// oneDNN with two threads only: how it divides its loops by their number the small cases show, and what
/// depends on the size is ours around it. Its plain gradients would take a third of the time.
std::vector<Subject> forLargeCases(std::vector<Subject> subjects) {
    std::erase_if(subjects, [](const Subject& one) {
        return one.implementation() == "onednn" && one.target != "cpu/onednn?threads=2";
    });
    return subjects;
}

/// Under a sanitizer those of one number of threads: clang's OpenMP keeps the teams of other numbers, which
/// is told as a leak. Those of one thread have no parts there whose borders could be wrong.
std::vector<std::vector<Subject>> largeCpuSubjects() {
    const std::vector<Subject> all = forLargeCases(cpuSubjects());
    if (kTimeFactor == 1)
        return {all};
    std::vector<std::vector<Subject>> byThreads;
    for (const Subject& one : all) {
        const auto threads = [](const std::string& target) {
            const auto at = target.find("threads=");
            return at == std::string::npos ? std::string() : target.substr(at);
        };
        if (threads(one.target) == "threads=1")
            continue;
        const auto same = std::ranges::find_if(byThreads, [&](const std::vector<Subject>& group) {
            return threads(group[0].target) == threads(one.target) &&
                   group[0].implementation() == one.implementation();
        });
        if (same == byThreads.end())
            byThreads.push_back({one});
        else
            same->push_back(one);
    }
    return byThreads;
}

INSTANTIATE_TEST_SUITE_P(Cpu, LargeReference, testing::ValuesIn(largeCpuSubjects()), firstSubjectName);
INSTANTIATE_TEST_SUITE_P(Gpu, LargeReference, testing::ValuesIn(eachAlone(gpuSubjects())), firstSubjectName);
INSTANTIATE_TEST_SUITE_P(Cpu, Reference, testing::ValuesIn(cpuSubjects()), subjectName);
INSTANTIATE_TEST_SUITE_P(Gpu, Reference, testing::ValuesIn(gpuSubjects()), subjectName);
INSTANTIATE_TEST_SUITE_P(Cpu, ReferenceProducts, testing::ValuesIn(cpuSubjects()), subjectName);
INSTANTIATE_TEST_SUITE_P(Gpu, ReferenceProducts, testing::ValuesIn(gpuProductSubjects()), subjectName);

TEST(Unsupported, TableNamesOnlyKnownCases) {
    std::set<std::string> known;
    for (const auto* cases : {&poolCases(), &largePoolCases()}) {
        for (const PoolCase& one : *cases) {
            known.insert(opName(PoolForward{one.params, one.src}) + ": " + one.name);
            known.insert(opName(PoolBackward{one.params, one.src}) + ": " + one.name);
            known.insert(opName(PoolForward{one.params, one.src}) + ": *");
            known.insert(opName(PoolBackward{one.params, one.src}) + ": *");
        }
    }
    for (const Gemm& op : gemmCases())
        known.insert("gemm: " + opDetail(op));
    known.insert("gemm: *");
    for (const std::string& line : readUnsupported())
        EXPECT_TRUE(known.contains(line.substr(line.find(' ') + 1))) << line;
}

} // namespace
} // namespace heteroscope::compute
