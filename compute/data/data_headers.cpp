// SPDX-License-Identifier: Apache-2.0
#include "compute/data/data_headers.h"

#include "compute/base/checked_math.h"
#include "compute/base/file_kind.h"
#include "compute/base/npy.h"
#include "compute/data/cifar.h"
#include "compute/data/csv.h"
#include "compute/data/idx.h"
#include "compute/data/named_files.h"
#include "compute/data/npz_header.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string_view>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kTableStart = std::size_t{1} << 20;

using Header = std::optional<ExamplesHeader>;
using Fault = std::optional<HeaderError>;

Header refuse(Fault& fault, const char* pointer, Error error) {
    fault = HeaderError{pointer, std::move(error)};
    return std::nullopt;
}

const char* imagesPointer(const ReadRequest& request) {
    return request.test ? "/data/test_images" : "/data/images";
}

const char* labelsPointer(const ReadRequest& request) {
    return request.test ? "/data/test_labels" : "/data/labels";
}

/// Dimensions of examples and of their labels, whatever the format.
struct ArrayDims {
    std::vector<std::int64_t> images, labels;
};

std::int64_t rawBytes(const std::vector<std::int64_t>& dims, std::int64_t elementBytes) {
    std::int64_t bytes = elementBytes;
    for (const std::int64_t dim : dims)
        bytes = checkedMul(bytes, dim).value_or(INT64_MAX);
    return bytes;
}

Header arraysHeader(const ReadRequest& request, const ArrayDims& dims, Fault& fault) {
    const bool npy = request.data.source == DataSource::Npy;
    const auto& images = dims.images;
    if (images.size() < (npy ? 2u : 3u) || images.size() > 4)
        return refuse(
            fault, imagesPointer(request),
            badInput(
                {}, "the examples have " + std::to_string(images.size()) + " dimensions",
                npy ? "2, 3 or 4: examples x features, or x rows x columns, or x channels x rows x columns"
                    : "3 or 4: count x rows x columns, or count x channels x rows x columns"));
    const std::size_t most = npy ? 2 : 1; // a row of numbers for each example
    if (dims.labels.empty() || dims.labels.size() > most || dims.labels[0] != images[0])
        return refuse(fault, labelsPointer(request),
                      badInput({},
                               "there are " + std::to_string(dims.labels.empty() ? 0 : dims.labels[0]) +
                                   " targets for " + std::to_string(images[0]) + " examples",
                               "one an example"));
    if (npy && !request.data.isRegression() && dims.labels.size() == 2 && dims.labels[1] != 1)
        return refuse(
            fault, labelsPointer(request),
            badInput({}, "there are " + std::to_string(dims.labels[1]) + " targets an example", "one class"));
    ExamplesHeader header{images[0], 0, rawBytes(images, npy ? sizeof(float) : 1), {1, 1, 1, 1}, {}};
    header.image.c = images.size() == 3 ? 1 : images[1];
    if (images.size() > 2) {
        header.image.h = images[images.size() - 2];
        header.image.w = images[images.size() - 1];
    }
    return header;
}

Result<std::vector<std::int64_t>> dimsOf(const ReadRequest& request, const std::string& name) {
    if (request.data.source == DataSource::Idx)
        return readIdxDims(request.directory / name);
    const auto [file, array] = arrayPlace(name);
    auto header = file.ends_with(".npz") ? readNpzHeader(request.directory / file, array)
                                         : readNpyHeader(request.directory / file);
    if (!header)
        return header.error();
    if (header->elements == 0)
        return badInput((request.directory / file).string(), "the array is empty", "at least one element");
    return std::move(header->shape);
}

Header arrayFilesHeader(const ReadRequest& request, Fault& fault) {
    const DataSpec& data = request.data;
    auto images = dimsOf(request, request.test ? data.testImages : data.images);
    if (!images)
        return refuse(fault, imagesPointer(request), images.error());
    auto labels = dimsOf(request, request.test ? data.testLabels : data.labels);
    if (!labels)
        return refuse(fault, labelsPointer(request), labels.error());
    return arraysHeader(request, {std::move(*images), std::move(*labels)}, fault);
}

Header cifarHeader(const ReadRequest& request, Fault& fault) {
    const CifarKind kind = request.data.source == DataSource::Cifar10 ? CifarKind::Ten : CifarKind::Hundred;
    ExamplesHeader header{0, 0, 0, {1, 3, 32, 32}, {}};
    for (const auto& file : cifarFiles(request.directory / request.data.folder, kind, request.test)) {
        std::error_code failure;
        if (const Status status = requireRegularFile(file); !status)
            return refuse(fault, "/data/folder", status.error());
        const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file, failure));
        if (failure)
            return refuse(
                fault, "/data/folder",
                systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", failure.value()));
        if (size == 0 || size % cifarRecordBytes(kind) != 0)
            return refuse(fault, "/data/folder",
                          badInput(file.string(), "the file has " + std::to_string(size) + " bytes",
                                   "whole records of " + std::to_string(cifarRecordBytes(kind)) + " bytes"));
        *header.count += size / cifarRecordBytes(kind);
    }
    return header;
}

Header folderHeader(const ReadRequest& request, Fault& fault) {
    const char* pointer = request.test ? "/data/test_folder" : "/data/folder";
    ExamplesHeader header;
    ReadRequest first = request;
    first.which = [&header](std::int64_t count) {
        header.count = count;
        return std::vector<std::int64_t>{0};
    };
    auto set = readImageFolder(first);
    if (!set)
        return refuse(fault, set.error().where.starts_with("/network/") ? "/network/input/shape" : pointer,
                      set.error());
    header.image = set->image;
    header.classNames = std::move(set->classNames);
    return header;
}

struct TableStart {
    std::string text;
    bool whole = false;
};

/// Finds line ends outside of quotes, in pieces.
class LineEnds {
  public:
    void read(std::string_view piece) {
        for (const char each : piece) {
            ++m_seen;
            m_quoted = m_quoted != (each == '"');
            if (m_quoted || each != '\n') {
                m_blank = m_blank && (each == '\r' || each == ' ' || each == '\t');
                continue;
            }
            m_end = m_seen;
            m_lines += m_blank ? 0 : 1;
            m_blank = true;
        }
    }
    std::size_t end() const { return m_end; } ///< offset past the last one
    int lines() const { return m_lines; }     ///< that are not blank

  private:
    std::size_t m_seen = 0, m_end = 0;
    int m_lines = 0;
    bool m_quoted = false, m_blank = true;
};

/// The whole lines at the beginning: of the first MiB, or of as many as the first `lines` take that are not
/// blank.
Result<TableStart> readTableStart(const std::filesystem::path& file, int lines, MemoryBudget& budget) {
    if (const Status status = requireRegularFile(file); !status)
        return status.error();
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", errno, {},
                             "check the permissions of the file");
    TableStart start;
    HeldMemory held(budget);
    LineEnds ends;
    while (ends.lines() < lines && !start.whole) {
        const std::size_t seen = start.text.size();
        if (const Status status = held.add(std::int64_t{kTableStart}, "the first lines", file.string());
            !status)
            return status.error();
        start.text.resize(seen + kTableStart);
        stream.read(start.text.data() + seen, static_cast<std::streamsize>(kTableStart));
        start.text.resize(seen + static_cast<std::size_t>(stream.gcount()));
        start.whole = start.text.size() - seen < kTableStart;
        ends.read(std::string_view(start.text).substr(seen));
    }
    if (!start.whole)
        start.text.resize(ends.end());
    return start;
}

Header tableHeader(const ReadRequest& request, Fault& fault) {
    const DataSpec& data = request.data;
    const char* pointer = request.test ? "/data/test_file" : "/data/file";
    const auto file = request.directory / (request.test ? data.testFile : data.file);
    const auto start = readTableStart(file, data.header ? 2 : 1, *request.budget);
    if (!start)
        return refuse(fault, pointer, start.error());
    auto table = parseCsv(start->text, csvOptions(data, request.classNames), file.string());
    if (!table) {
        const std::string& where = table.error().where;
        return refuse(fault,
                      where == "/data/target"     ? "/data/target"
                      : where == "/data/features" ? "/data/features"
                                                  : pointer,
                      table.error());
    }
    std::error_code ignored;
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file, ignored));
    ExamplesHeader header{std::nullopt, 0, bytes, {1, table->features, 1, 1}, {}};
    header.aboutCount =
        static_cast<std::int64_t>(static_cast<double>(table->rows) * static_cast<double>(bytes) /
                                  static_cast<double>(start->text.size()));
    if (start->whole) {
        header.count = table->rows;
        header.classNames = std::move(table->classNames);
    }
    return header;
}

} // namespace

Header readExamplesHeader(const ReadRequest& request, Fault& fault) {
    switch (request.data.source) {
    case DataSource::Idx:
    case DataSource::Npy:
        return arrayFilesHeader(request, fault);
    case DataSource::Cifar10:
    case DataSource::Cifar100:
        return cifarHeader(request, fault);
    case DataSource::ImageFolder:
        return folderHeader(request, fault);
    case DataSource::Csv:
        return tableHeader(request, fault);
    default:
        return std::nullopt;
    }
}

} // namespace heteroscope::compute
