// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/temporary_folder.h"

#include <cstdio>
#include <cstdlib>

namespace heteroscope::fuzz {

TemporaryFolder::TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) {
        std::perror("a folder for the files of the fuzzer");
        std::exit(1);
    }
    m_path = path;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code failure; // what cannot be removed stays among the temporary files
    std::filesystem::remove_all(m_path, failure);
}

} // namespace heteroscope::fuzz
