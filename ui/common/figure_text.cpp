// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/figure_text.h"

#include "profiling/analysis/figures.h"

#include <QCoreApplication>

#include <string>

namespace heteroscope::ui {

namespace {

using profiling::figure;

constexpr const profiling::Figure* kShown[] = {&figure("run_number"),
                                               &figure("target"),
                                               &figure("status"),
                                               &figure("median"),
                                               &figure("median_interval"),
                                               &figure("speedup"),
                                               &figure("speedup_interval"),
                                               &figure("verdict"),
                                               &figure("equal_work"),
                                               &figure("sample_count"),
                                               &figure("outliers"),
                                               &figure("smallest"),
                                               &figure("first_quartile"),
                                               &figure("third_quartile"),
                                               &figure("largest"),
                                               &figure("mean"),
                                               &figure("deviation"),
                                               &figure("first_use"),
                                               &figure("stop_rule"),
                                               &figure("warm_up"),
                                               &figure("implementation"),
                                               &figure("reason"),
                                               &figure("median_of_a"),
                                               &figure("median_of_b"),
                                               &figure("study_ratio_98_interval"),
                                               &figure("samples_of_a"),
                                               &figure("samples_of_b"),
                                               &figure("pair_count"),
                                               &figure("comparison_note"),
                                               &figure("traced_wall"),
                                               &figure("execute"),
                                               &figure("copy"),
                                               &figure("launch"),
                                               &figure("launch_of_copies"),
                                               &figure("queue"),
                                               &figure("synchronise"),
                                               &figure("other"),
                                               &figure("recorded_wall"),
                                               &figure("operations_time"),
                                               &figure("host_copies_time"),
                                               &figure("rest_time"),
                                               &figure("untraced_time"),
                                               &figure("transfer_direction"),
                                               &figure("transfer_memory"),
                                               &figure("transfer_count"),
                                               &figure("transfer_bytes"),
                                               &figure("transfer_mean_size"),
                                               &figure("transfer_time"),
                                               &figure("transfer_share"),
                                               &figure("transfer_overlap"),
                                               &figure("transfer_rate"),
                                               &figure("link_peak"),
                                               &figure("transfer_operation"),
                                               &figure("transfer_phase"),
                                               &figure("layer_name"),
                                               &figure("layer_type"),
                                               &figure("layer_forward"),
                                               &figure("layer_backward"),
                                               &figure("least_bytes_rate"),
                                               &figure("operations_rate"),
                                               &figure("efficiency")};

QString translated(std::string_view text) {
    return QCoreApplication::translate("FigureText", std::string(text).c_str());
}

} // namespace

QString figureTitle(const profiling::Figure& figure) {
    QString name = translated(figure.name);
    if (name.size() > 1) // n is a symbol, and N another one: the size of a sweep
        name[0] = name[0].toUpper();
    return name;
}

QString figureMeaning(const profiling::Figure& figure) {
    return figure.isRatio()
               ? translated(figure.numerator) + QStringLiteral(" / ") + translated(figure.denominator)
               : translated(figure.definition);
}

std::span<const profiling::Figure* const> shownFigures() {
    return kShown;
}

} // namespace heteroscope::ui
