// SPDX-License-Identifier: Apache-2.0
// What this process and all processes together took of the processors, to tell a slow program from a busy
// machine.
#pragma once

namespace heteroscope::timing {

struct MachineUse {
    double seconds = 0; ///< on the clock
    double own = 0;     ///< processor seconds of this process and its ended children
    double busy = 0;    ///< processor seconds of everyone, with what the host took away
    double idle = 0;    ///< processor seconds nobody used

    /// Share of the processors that others took, 0 to 1.
    double byOthers() const;
};

/// Since the machine started. The processors' part is read from /proc/stat: in hundredths of a second.
MachineUse machineUse();
MachineUse operator-(const MachineUse& later, const MachineUse& earlier);

} // namespace heteroscope::timing
