// SPDX-License-Identifier: GPL-3.0-or-later
// Works out and shows the sums.
#include "ui/build/network/network_totals.h"

#include "compute/base/checked_math.h"
#include "compute/base/units.h"
#include "compute/experiment/spec/estimate.h"
#include "ui/build/network/network_painter.h"
#include "ui/build/preview_spec.h"
#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {

constexpr std::int64_t kFloatBytes = 4;
constexpr int kTargetsInARow = 3; ///< with what is wrong with them they fit in a window of 1280

QString bytesText(std::int64_t bytes) {
    return fromStd(formatBytes(static_cast<double>(bytes)));
}

/// On the CPU the device's memory is the host's: both parts come out of it.
std::int64_t neededBytes(const compute::PointEstimate& estimate, const std::string& target) {
    return target.starts_with("cpu/")
               ? checkedAdd(estimate.hostBytes, estimate.deviceBytes).value_or(INT64_MAX)
               : estimate.deviceBytes;
}

TargetFit fitOf(const std::string& target, const compute::PointEstimate& estimate, const Json& devices) {
    TargetFit fit{target, neededBytes(estimate, target), 0, {}, false};
    const std::string id = target.substr(0, target.find('/'));
    const Json list = devices.is_object() ? devices.value("devices", Json::array()) : Json::array();
    for (const Json& device : list)
        if (device.value("id", std::string()) == id && device.contains("memory_free_bytes")) {
            fit.isKnown = true;
            fit.freeBytes = device.value("memory_free_bytes", std::int64_t{0});
            fit.reason = device.value("reason", std::string());
        }
    return fit;
}

} // namespace

std::optional<NetworkSums> networkSums(const Json& document, const Json& devices) {
    const auto spec = previewSpec(document);
    if (!spec || spec->kind != compute::ExperimentKind::Network)
        return std::nullopt;
    const auto& experiment = spec->network;
    const auto plan = compute::planNetwork(experiment.network, compute::networkRequest(experiment),
                                           compute::planOptions(experiment));
    const auto estimate = compute::estimatePoint(*spec);
    if (!plan || !estimate)
        return std::nullopt;
    using compute::Block;
    const auto bytes = [&](Block block) { return kFloatBytes * plan->elementsOf(block); };
    NetworkSums sums;
    sums.parameters = plan->network.parameterElements();
    sums.multiplyAdds = plan->network.multiplyAdds();
    sums.activationBytes = bytes(Block::Activations);
    sums.parameterBytes = bytes(Block::Parameters);
    sums.gradientBytes = bytes(Block::Gradients);
    sums.otherBytes = plan->bytes() - sums.activationBytes - sums.parameterBytes - sums.gradientBytes;
    if (const auto targets = document.find("targets"); targets != document.end() && targets->is_array())
        for (const Json& target : *targets)
            if (target.is_string())
                sums.targets.push_back(fitOf(target.get<std::string>(), *estimate, devices));
    return sums;
}

NetworkTotals::NetworkTotals(QWidget* parent)
    : QFrame(parent), m_figures(new QHBoxLayout), m_targets(new QGridLayout) {
    setRole(this, "panel");
    setObjectName(QStringLiteral("network-totals"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(6);
    m_figures->setSpacing(2 * Theme::kSpacing);
    m_targets->setSpacing(Theme::kSpacing);
    column->addLayout(m_figures);
    column->addLayout(m_targets);
    setSums(std::nullopt);
}

void NetworkTotals::addFigure(const QString& label, const QString& value, const QString& toolTip) {
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    auto* box = new QWidget;
    box->setLayout(column);
    column->setContentsMargins(0, 0, 0, 0);
    auto* figure = makeLabel(value, "strong");
    figure->setAccessibleName(QStringLiteral("%1: %2").arg(label, value));
    column->addWidget(makeLabel(label, "muted"));
    column->addWidget(figure);
    box->setToolTip(toolTip);
    m_figures->addWidget(box);
}

void NetworkTotals::addTarget(const TargetFit& fit) {
    auto* badge = makeLabel(fromStd(fit.target), "badge");
    QString state;
    if (!fit.isKnown)
        state = tr("%1: %2 needed; this machine's devices are not known yet")
                    .arg(fromStd(fit.target), bytesText(fit.neededBytes));
    else if (!fit.reason.empty())
        state = QStringLiteral("%1: %2").arg(fromStd(fit.target), recordedText(fit.reason));
    else
        state = (fit.fits() ? tr("%1: %2 of %3 free: fits") : tr("%1: %2 of %3 free: does not fit"))
                    .arg(fromStd(fit.target), bytesText(fit.neededBytes), bytesText(fit.freeBytes));
    if (fit.isKnown)
        badge->setProperty("tone", fit.fits() ? "good" : fit.reason.empty() ? "error" : "warning");
    if (fit.isKnown && !fit.fits())
        badge->setText(fit.reason.empty() ? tr("%1: too large").arg(fromStd(fit.target))
                                          : tr("%1: not here").arg(fromStd(fit.target)));
    badge->setToolTip(state);
    badge->setAccessibleName(state);
    const int place = m_targets->count() - 1; // the heading comes first
    m_targets->addWidget(badge, place / kTargetsInARow, 1 + place % kTargetsInARow);
}

void NetworkTotals::setSums(const std::optional<NetworkSums>& sums) {
    deleteChildren(m_figures);
    deleteChildren(m_targets);
    const auto bytes = [&](std::int64_t NetworkSums::*member) {
        return sums ? bytesText((*sums).*member) : QStringLiteral("–");
    };
    const QString unknown = QStringLiteral("–");
    addFigure(tr("Parameters"), sums ? fromStd(formatCount(sums->parameters)) : unknown,
              tr("What is learned, in numbers of four bytes"));
    addFigure(tr("Multiply-adds"), sums ? shortCount(sums->multiplyAdds) : unknown,
              tr("Of one batch, forward; one multiply-add is two operations"));
    addFigure(tr("Activations"), bytes(&NetworkSums::activationBytes),
              tr("Memory of outputs and their gradients, used again where that can be"));
    addFigure(tr("Weights"), bytes(&NetworkSums::parameterBytes), tr("Memory of the parameters"));
    addFigure(tr("Gradients"), bytes(&NetworkSums::gradientBytes), tr("Memory of the parameters' gradients"));
    addFigure(tr("Rest"), bytes(&NetworkSums::otherBytes),
              tr("Memory of the optimiser, running statistics, input and targets"));
    m_figures->addStretch(1);
    if (!sums) {
        m_targets->addWidget(makeLabel(tr("Sums appear when the network has no mistakes."), "muted"), 0, 0);
    } else {
        m_targets->addWidget(makeLabel(tr("Memory:"), "muted"), 0, 0);
        for (const TargetFit& fit : sums->targets)
            addTarget(fit);
    }
    m_targets->setColumnStretch(kTargetsInARow + 1, 1);
}

} // namespace heteroscope::ui

#include "moc_network_totals.cpp"
