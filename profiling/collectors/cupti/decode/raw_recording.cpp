// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/decode/raw_recording.h"

#include "profiling/collectors/cupti/decode/record_walk.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <type_traits>
#include <unordered_map>

namespace heteroscope::profiling {
namespace {

constexpr char kMagic[] = {'H', 'S', 'C', 'U', 'P', 'T', 'I', '1'};
enum RawBlock : std::uint32_t { kRawHeader = 1, kRawBuffer = 2, kRawEnd = 3 };

using RawBytes = std::vector<std::uint8_t>;

template <class T>
void append(RawBytes& bytes, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
}

/// Takes values off the front; sets `failed` instead of reading beyond the end.
struct RawCursor {
    std::span<const std::uint8_t> left;
    bool failed = false;

    template <class T>
    T take() {
        T value{};
        if (left.size() < sizeof value) {
            failed = true;
            return value;
        }
        std::memcpy(&value, left.data(), sizeof value);
        left = left.subspan(sizeof value);
        return value;
    }
    std::span<const std::uint8_t> take(std::uint64_t bytes) {
        if (bytes > left.size()) {
            failed = true;
            return {};
        }
        const auto part = left.first(static_cast<std::size_t>(bytes));
        left = left.subspan(static_cast<std::size_t>(bytes));
        return part;
    }
};

bool isCall(std::uint32_t kind) {
    return kind == CUPTI_ACTIVITY_KIND_RUNTIME || kind == CUPTI_ACTIVITY_KIND_DRIVER;
}

CUpti_CallbackDomain domainOf(std::uint32_t kind) {
    return kind == CUPTI_ACTIVITY_KIND_DRIVER ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
}

const char* textOf(const CUpti_Activity* record, const CallNames& callNames) {
    if (kindOf(record) == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
        return reinterpret_cast<const CUpti_ActivityKernel10*>(record)->name;
    if (!isCall(kindOf(record)))
        return nullptr;
    return callNames(domainOf(kindOf(record)), reinterpret_cast<const CUpti_ActivityAPI*>(record)->cbid);
}

Result<RawBuffer> parseBuffer(RawCursor cursor, const auto& wrong) {
    RawBuffer buffer;
    buffer.clockOffsetNs = cursor.take<std::int64_t>();
    const auto records = cursor.take<std::uint32_t>(), texts = cursor.take<std::uint32_t>();
    const auto bytes = cursor.take<std::uint64_t>();
    if (cursor.failed || records > cursor.left.size() / 8 || texts > cursor.left.size() / 4)
        return wrong("a buffer's counts are larger than its block");
    for (std::uint32_t i = 0; i < records; ++i) {
        const auto offset = cursor.take<std::uint32_t>(), text = cursor.take<std::uint32_t>();
        if (offset % 8 != 0 || offset + std::uint64_t{8} > bytes || text > texts)
            return wrong("record " + std::to_string(i) + " lies outside of its buffer or names no text");
        buffer.records.push_back({offset, text});
    }
    for (std::uint32_t i = 0; i < texts && !cursor.failed; ++i) {
        const auto text = cursor.take(cursor.take<std::uint32_t>());
        buffer.texts.emplace_back(text.begin(), text.end());
    }
    const auto all = cursor.take(bytes);
    if (cursor.failed || !cursor.left.empty())
        return wrong("a buffer's block has another length than its parts");
    buffer.bytes.assign(all.begin(), all.end());
    return buffer;
}

/// Puts the kernels' names where the records look for them.
void nameKernels(RawBuffer& buffer) {
    for (const RawRecord& record : buffer.records) {
        auto* activity = reinterpret_cast<CUpti_Activity*>(buffer.bytes.data() + record.offset);
        const std::size_t room = buffer.bytes.size() - record.offset;
        if (kindOf(activity) == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL &&
            room >= sizeof(CUpti_ActivityKernel10))
            reinterpret_cast<CUpti_ActivityKernel10*>(activity)->name =
                record.text == 0 ? nullptr : buffer.texts[record.text - 1].c_str();
    }
}

/// The records where the recording says that they begin; one that its buffer cuts off is not given out.
NextRecord byOffsets(const RawBuffer& buffer) {
    return [&buffer, index = std::size_t{0}](std::uint8_t* bytes, std::size_t size,
                                             CUpti_Activity** record) mutable {
        if (index == buffer.records.size())
            return CUPTI_ERROR_MAX_LIMIT_REACHED;
        auto* const activity = reinterpret_cast<CUpti_Activity*>(bytes + buffer.records[index].offset);
        if (recordBytes(kindOf(activity)) > size - buffer.records[index++].offset)
            return CUPTI_ERROR_INVALID_KIND;
        *record = activity;
        return CUPTI_SUCCESS;
    };
}

} // namespace

std::vector<GpuRecord> RawRecording::decode(GpuTraceQuality& quality) {
    std::map<std::pair<int, CUpti_CallbackId>, std::string> calls;
    for (RawBuffer& buffer : buffers) {
        nameKernels(buffer);
        for (const RawRecord& record : buffer.records) {
            const auto* activity = reinterpret_cast<CUpti_Activity*>(buffer.bytes.data() + record.offset);
            if (isCall(kindOf(activity)) && record.text != 0 &&
                buffer.bytes.size() - record.offset >= sizeof(CUpti_ActivityAPI))
                calls[{domainOf(kindOf(activity)),
                       reinterpret_cast<const CUpti_ActivityAPI*>(activity)->cbid}] =
                    buffer.texts[record.text - 1];
        }
    }
    CuptiDecoder decoder([&](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
        const auto call = calls.find({domain, id});
        return call == calls.end() ? nullptr : call->second.c_str();
    });
    std::vector<GpuRecord> records;
    for (RawBuffer& buffer : buffers)
        decoder.decodeBuffer(buffer.bytes, byOffsets(buffer), buffer.clockOffsetNs, records);
    quality = decoder.quality();
    quality.dropped = dropped;
    return records;
}

Result<RawRecording> parseRawRecording(std::span<const std::uint8_t> bytes, const std::string& name) {
    RawCursor cursor{bytes};
    const auto wrong = [&](const std::string& what) {
        return Error{ErrorCode::BadInput, what,
                     name + " before offset " + std::to_string(bytes.size() - cursor.left.size()),
                     "a file that HETEROSCOPE_CUPTI_RAW wrote", "record it again"};
    };
    const auto magic = cursor.take(sizeof kMagic);
    if (cursor.failed || std::memcmp(magic.data(), kMagic, sizeof kMagic) != 0)
        return wrong("this is no recording of CUPTI's buffers");
    RawRecording recording;
    while (!cursor.left.empty()) {
        const auto kind = cursor.take<std::uint32_t>();
        cursor.take<std::uint32_t>();
        const RawCursor payload{cursor.take(cursor.take<std::uint64_t>())};
        if (cursor.failed || recording.whole)
            return wrong(recording.whole ? "something follows the end" : "the last block is cut off");
        if (kind == kRawHeader) {
            recording.header = Json::parse(payload.left.begin(), payload.left.end(), nullptr, false);
        } else if (kind == kRawEnd && payload.left.size() == sizeof recording.dropped) {
            std::memcpy(&recording.dropped, payload.left.data(), sizeof recording.dropped);
            recording.whole = true;
        } else if (kind == kRawBuffer) {
            auto buffer = parseBuffer(payload, wrong);
            if (!buffer)
                return buffer.error();
            recording.buffers.push_back(std::move(*buffer));
        } else {
            return wrong("a block of unknown kind " + std::to_string(kind));
        }
    }
    if (!recording.header.is_object())
        return wrong("the header is missing or no JSON");
    return recording;
}

Result<std::unique_ptr<RawRecordingWriter>> RawRecordingWriter::open(const std::string& path,
                                                                     std::uint32_t cuptiVersion) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr)
        return systemRefusal(ErrorCode::Io, path, "cannot be created", errno, {},
                             "HETEROSCOPE_CUPTI_RAW names a file in a folder that can be written to");
    std::unique_ptr<RawRecordingWriter> writer(new RawRecordingWriter(file, path));
    std::fwrite(kMagic, 1, sizeof kMagic, file);
    const std::string header = Json{{"cupti", cuptiVersion}, {"headers", CUPTI_API_VERSION}}.dump();
    if (const Status status =
            writer->block(kRawHeader, {reinterpret_cast<const std::uint8_t*>(header.data()), header.size()});
        !status)
        return status.error();
    return writer;
}

Status RawRecordingWriter::write(std::span<std::uint8_t> buffer, const NextRecord& next,
                                 const CallNames& callNames, std::int64_t clockOffsetNs) {
    RawBytes records, texts;
    std::unordered_map<std::string, std::uint32_t> known;
    std::uint32_t count = 0;
    for (CUpti_Activity* record = nullptr; next(buffer.data(), buffer.size(), &record) == CUPTI_SUCCESS;
         ++count) {
        std::uint32_t text = 0;
        if (const char* const name = textOf(record, callNames); name != nullptr) {
            const auto [entry, isNew] = known.try_emplace(name, static_cast<std::uint32_t>(known.size() + 1));
            text = entry->second;
            if (isNew) {
                append(texts, static_cast<std::uint32_t>(entry->first.size()));
                texts.insert(texts.end(), entry->first.begin(), entry->first.end());
            }
        }
        append(records, static_cast<std::uint32_t>(reinterpret_cast<std::uint8_t*>(record) - buffer.data()));
        append(records, text);
    }
    RawBytes payload;
    append(payload, clockOffsetNs);
    append(payload, count);
    append(payload, static_cast<std::uint32_t>(known.size()));
    append(payload, static_cast<std::uint64_t>(buffer.size()));
    for (const std::span<const std::uint8_t> part :
         {std::span<const std::uint8_t>(records), {texts}, {buffer}})
        payload.insert(payload.end(), part.begin(), part.end());
    return block(kRawBuffer, payload);
}

Status RawRecordingWriter::end(std::uint64_t dropped) {
    RawBytes payload;
    append(payload, dropped);
    return block(kRawEnd, payload);
}

Status RawRecordingWriter::block(std::uint32_t kind, std::span<const std::uint8_t> payload) {
    RawBytes head;
    append(head, kind);
    append(head, std::uint32_t{0});
    append(head, static_cast<std::uint64_t>(payload.size()));
    std::FILE* const file = m_file.get();
    if (std::fwrite(head.data(), 1, head.size(), file) == head.size() &&
        std::fwrite(payload.data(), 1, payload.size(), file) == payload.size() && std::fflush(file) == 0)
        return {};
    return systemRefusal(ErrorCode::Io, m_path, "cannot be written", errno, {},
                         "free some space or choose another file for HETEROSCOPE_CUPTI_RAW");
}

} // namespace heteroscope::profiling
