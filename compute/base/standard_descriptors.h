// SPDX-License-Identifier: Apache-2.0
// A program that was started with one of the descriptors 0 to 2 closed would give its number to the next file
// that it opens, and messages would be written into that file.
#pragma once

namespace heteroscope {

/// Opens /dev/null on each of the descriptors 0 to 2 that is closed. Standard output and error get one that
/// cannot be written to, so that a result that reaches nobody is an error of writing. First thing in main, on
/// the main thread.
void fillStandardDescriptors();

/// A closed pipe and a file that has reached the limit of its size (ulimit -f) are errors of that one output,
/// not the end of the process. For the whole process and its children.
void ignoreSignalsOfWriting();

} // namespace heteroscope
