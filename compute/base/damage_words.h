// SPDX-License-Identifier: Apache-2.0
// The words of damaged run files. The reader's errors are English sentences (Error::sentence()), from which
// profiling/analysis/recorded_phrase makes them again, to be said in the window's language. Values; any
// thread.
#pragma once

#include "compute/base/phrase.h"

namespace heteroscope::damage_words {

// What is damaged, and what was read all the same.
inline constexpr const char *kDamaged = words("damaged: %1"), *kAllRead = words("everything before was read"),
                            *kAllReadDone =
                                words("everything before was read, and the run had ended as done"),
                            *kAllReadEnded = words("everything before was read, and the run had ended as %1"),
                            *kByte = words("%1, byte %2"),
                            *kTrailingBytes =
                                words("%1 bytes follow behind the end of the recording, which is complete"),
                            *kTrailingByte =
                                words("1 byte follows behind the end of the recording, which is complete"),
                            *kKeepFirst =
                                words("what follows is not read: keep the first %1 bytes of the file"),
                            *kEmpty = words("the file is empty"), *kRunFile = words("a run file (.hscope)");

// What was expected, and what was found.
inline constexpr const char
    *kChecksum = words("expected checksum %1, found %2"),
    *kHeader = words("expected a file header of %1 bytes, found the end"),
    *kNoRunFile = words("expected a Heteroscope run file (it begins with \"HSCOPE\"), found other bytes"),
    *kFormat = words("expected format %1, found %2"),
    *kLongFrame = words("expected a frame of at most %1 bytes, found %2"),
    *kFrameLength =
        words("expected a frame of %1 bytes, found a whole one %2 bytes further on: the length is damaged"),
    *kFrameKind = words("expected a kind of record, found 0, which is never written"),
    *kFlags = words("expected flags 0 or 1 and two zero bytes, found %1"),
    *kHeaderFirst = words("expected the header frame first, found %1"),
    *kOneHeader = words("expected one header frame, found a second one"),
    *kNothingTrailing = words("expected nothing behind the end frame, found more bytes");

// What to do.
inline constexpr const char *kCopyAgain = words(
                                "copy the file again from where it was written, or run its experiment again"),
                            *kOtherCopy = words("copy the file again where there is another copy of it"),
                            *kUsable = words("what was read can be used and exported"),
                            *kLeftEmpty =
                                words("a copy that failed, a full disk or a loss of power may have left it: "
                                      "copy it again from where it was written, or run its experiment again"),
                            *kCut =
                                words("a copy that failed, a full disk or a loss of power may have cut it: "
                                      "copy it again from where it was written, or run its experiment again"),
                            *kLostOrOver =
                                words("the file lost what had not reached the disk, or was written over"),
                            *kChoose = words("choose a .hscope file"),
                            *kOtherVersion = words("open it with the version that wrote it"),
                            *kWholeBefore = words("what comes before them is the whole recording");

} // namespace heteroscope::damage_words
