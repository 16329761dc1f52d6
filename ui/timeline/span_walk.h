// SPDX-License-Identifier: GPL-3.0-or-later
// Steps from span to span with the store's logarithmic queries. Any thread.
#pragma once

#include "profiling/trace/trace.h"

namespace heteroscope::ui {

/// The span that starts next after `from` on its lane (forward), or the one that ended last before it;
/// invalid at the end of the lane.
profiling::SpanRef neighbourSpan(const profiling::Trace& trace, profiling::SpanRef from, bool forward);
/// The span nearest to `timeNs` on any lane of a track; invalid for a track without spans.
profiling::SpanRef nearestSpan(const profiling::Trace& trace, profiling::TrackId track, std::int64_t timeNs);

} // namespace heteroscope::ui
