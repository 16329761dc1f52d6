// SPDX-License-Identifier: Apache-2.0
// Any bytes as a folder of CIFAR images, of both kinds: whole records, and behind them the names of the
// classes. The part of a record that is left over makes a cut file, too.
#include "compute/data/cifar.h"
#include "compute/data/example_set.h"
#include "tests/fuzz/support/memory_file.h"
#include "tests/fuzz/support/require.h"
#include "tests/fuzz/support/temporary_folder.h"

using namespace heteroscope::compute;
using heteroscope::fuzz::require;
using heteroscope::fuzz::requireGoodError;

namespace {

constexpr std::int64_t kMostHeldBytes = 1 << 20;

/// The files of a data set, each of which is one of two in memory.
class CifarFolder {
  public:
    explicit CifarFolder(CifarKind kind) : m_kind(kind) {
        const bool ten = kind == CifarKind::Ten;
        for (const char* images :
             ten ? std::initializer_list<const char*>{"data_batch_1.bin", "data_batch_3.bin",
                                                      "test_batch.bin"}
                 : std::initializer_list<const char*>{"train.bin", "test.bin"})
            std::filesystem::create_symlink(m_images.path(), m_folder.file(images));
        std::filesystem::create_symlink(m_names.path(),
                                        m_folder.file(ten ? "batches.meta.txt" : "fine_label_names.txt"));
    }

    void read(std::span<const std::uint8_t> records, std::span<const std::uint8_t> names) {
        m_images.set(records);
        m_names.set(names);
        readPart(false, {}, records.size());
        readPart(true, everySecond, records.size());
    }

  private:
    static std::vector<std::int64_t> everySecond(std::int64_t count) {
        std::vector<std::int64_t> chosen;
        for (std::int64_t i = count - 1; i >= 0; i -= 2)
            chosen.push_back(i);
        return chosen;
    }

    void readPart(bool test, std::function<std::vector<std::int64_t>(std::int64_t)> which,
                  std::size_t bytes) const {
        DataSpec data;
        data.source = m_kind == CifarKind::Ten ? DataSource::Cifar10 : DataSource::Cifar100;
        const std::int64_t classes = m_kind == CifarKind::Ten ? 10 : 100;
        const auto set = readCifarSet({data,
                                       m_folder.path(),
                                       {1, 3, 32, 32},
                                       test,
                                       {},
                                       std::move(which),
                                       std::make_shared<heteroscope::MemoryBudget>(kMostHeldBytes)});
        if (!set)
            return requireGoodError(set.error());
        const std::int64_t files = test || m_kind == CifarKind::Hundred ? 1 : 2;
        const std::int64_t records = files * std::int64_t(bytes) / cifarRecordBytes(m_kind);
        require(set->examples.count == (test ? (records + 1) / 2 : records), "each record is an example");
        require(std::ssize(set->examples.images) == set->examples.count * kCifarPixels,
                "each example has its pixels");
        require(std::ssize(set->examples.targets) == set->examples.count, "each example has a class");
        for (const float target : set->examples.targets)
            require(target >= 0 && target < static_cast<float>(classes), "classes are those of the data set");
        require(set->classNames.empty() || std::ssize(set->classNames) == classes, "all classes have names");
    }

    CifarKind m_kind;
    heteroscope::fuzz::MemoryFile m_images, m_names;
    heteroscope::fuzz::TemporaryFolder m_folder;
};

void parse(CifarKind kind, std::span<const std::uint8_t> bytes) {
    const auto images = parseCifar(bytes, kind, "fuzz");
    if (!images)
        return requireGoodError(images.error());
    require(images->pixels.size() == images->labels.size() * kCifarPixels, "each label has its pixels");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static CifarFolder ten(CifarKind::Ten), hundred(CifarKind::Hundred);
    const std::span<const std::uint8_t> all(data, size);
    for (const CifarKind kind : {CifarKind::Ten, CifarKind::Hundred}) {
        parse(kind, all);
        const std::size_t record = cifarRecordBytes(kind), whole = size / record * record;
        (kind == CifarKind::Ten ? ten : hundred).read(all.first(whole), all.subspan(whole));
    }
    return 0;
}
