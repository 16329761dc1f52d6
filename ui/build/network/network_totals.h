// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of a network and whether each target's memory holds it. GUI thread.
#pragma once

#include "compute/base/json.h"

#include <QFrame>

#include <cstdint>
#include <string>
#include <vector>

class QGridLayout;
class QHBoxLayout;
class QLabel;

namespace heteroscope::ui {

struct TargetFit {
    std::string target;
    std::int64_t neededBytes = 0, freeBytes = 0;
    std::string reason; ///< why the device cannot be used; empty: it can
    bool isKnown = false;
    bool fits() const { return reason.empty() && neededBytes <= freeBytes; }
};

/// Sums of a sound network with the values that are written, without sweeps.
struct NetworkSums {
    std::int64_t parameters = 0; ///< elements
    double multiplyAdds = 0;     ///< of the batch, forward
    std::int64_t activationBytes = 0, parameterBytes = 0, gradientBytes = 0, otherBytes = 0;
    std::vector<TargetFit> targets;
};

/// Nothing when the network has mistakes. `devices` is the text of `heteroscope-cli devices --json`, or null.
std::optional<NetworkSums> networkSums(const Json& document, const Json& devices);

class NetworkTotals : public QFrame {
    Q_OBJECT
  public:
    explicit NetworkTotals(QWidget* parent = nullptr);
    void setSums(const std::optional<NetworkSums>& sums);

  private:
    void addFigure(const QString& label, const QString& value, const QString& toolTip);
    void addTarget(const TargetFit& fit);

    QHBoxLayout* m_figures;
    QGridLayout* m_targets;
};

} // namespace heteroscope::ui
