// SPDX-License-Identifier: Apache-2.0
// Every stop rule and every note on the environment that a worker can write, with what it says in English and
// in Spanish.
#pragma once

#include "compute/base/run_note.h"
#include "compute/base/stop_rule.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::test {

struct RunSentence {
    Json codes; ///< stoppedBy of a run, or a note
    std::string english, spanish;
};

/// The rules of processes that were to be `planned`.
inline Json inProcesses(int planned, int sampled, const std::vector<Json>& endings, bool cancelled = false) {
    return stoppedInProcesses(endings, {planned, sampled, static_cast<int>(endings.size()), cancelled});
}

inline std::vector<RunSentence> stopSentences() {
    const auto limit = [](double limitS, std::optional<double> studyS, std::int64_t samples,
                          std::optional<std::int64_t> asked = {}) {
        return stoppedByTimeLimit({limitS, studyS, samples, asked});
    };
    const double narrow = 0.01 * 1.7320508075688772;
    const Json five = stoppedBySampleCount(5);
    return {
        {five, "5 samples", "5 muestras"},
        {stoppedBySampleCount(1), "1 sample", "1 muestra"},
        {stoppedByIntervalWidth(0.01, 14), "95 % interval within 1 % after 14 samples",
         "intervalo del 95 % dentro del 1 % tras 14 muestras"},
        {limit(1, {}, 34), "time limit 1 s after 34 samples", "límite de tiempo de 1 s tras 34 muestras"},
        {limit(0.1, {}, 1), "time limit 0.1 s after 1 sample", "límite de tiempo de 0.1 s tras 1 muestra"},
        {limit(0.0125, {}, 16, 50), "time limit 0.0125 s after 16 of 50 samples",
         "límite de tiempo de 0.0125 s tras 16 de 50 muestras"},
        {limit(10.0 / 3, 10, 12), "time limit 3.33 s of 10 s after 12 samples",
         "límite de tiempo de 3.33 s de 10 s tras 12 muestras"},
        {limit(2, 6, 1), "time limit 2 s of 6 s after 1 sample",
         "límite de tiempo de 2 s de 6 s tras 1 muestra"},
        {limit(2, 6, 3, 50), "time limit 2 s of 6 s after 3 of 50 samples",
         "límite de tiempo de 2 s de 6 s tras 3 de 50 muestras"},
        {stoppedByEpochs(4, 4), "all 4 epochs", "todas las épocas (4)"},
        {stoppedByEpochs(5, 3), "5 epochs, and 3 are asked for", "5 épocas, y se piden 3"},
        {stoppedByEarlyStopping(3), "validation loss no better for 3 epochs",
         "la pérdida de validación no mejora desde hace 3 épocas"},
        {stoppedByRateSearch(100), "all 100 learning rates", "todas las tasas de aprendizaje (100)"},
        {stoppedByRateSearchDiverged(), "the loss grew out of bounds", "la pérdida creció sin límite"},
        {inProcesses(3, 3, {five, five, five}), "5 samples, in each of 3 processes",
         "5 muestras, en cada uno de 3 procesos"},
        {inProcesses(2, 2, {five, stoppedBySampleCount(4)}), "5 samples; 4 samples, in 2 processes",
         "5 muestras; 4 muestras, en 2 procesos"},
        {inProcesses(3, 3,
                     {stoppedByIntervalWidth(narrow, 120), stoppedByIntervalWidth(narrow, 48),
                      limit(5.0 / 3, 5, 106)}),
         "95 % interval within 1.73 % after 120, 48 samples; time limit 1.67 s of 5 s after 106 samples, in "
         "3 "
         "processes",
         "intervalo del 95 % dentro del 1.73 % tras 120, 48 muestras; límite de tiempo de 1.67 s de 5 s tras "
         "106 muestras, en 3 procesos"},
        {inProcesses(3, 3,
                     {stoppedByIntervalWidth(narrow, 9), stoppedByIntervalWidth(narrow, 9),
                      stoppedByIntervalWidth(narrow, 12)}),
         "95 % interval within 1.73 % after 9, 12 samples, in 3 processes",
         "intervalo del 95 % dentro del 1.73 % tras 9, 12 muestras, en 3 procesos"},
        {inProcesses(2, 2, {limit(1, 2, 3, 4), limit(1, 2, 1, 3)}),
         "time limit 1 s of 2 s after 3 of 4 samples; time limit 1 s of 2 s after 1 of 3 samples, in 2 "
         "processes",
         "límite de tiempo de 1 s de 2 s tras 3 de 4 muestras; límite de tiempo de 1 s de 2 s tras 1 de 3 "
         "muestras, en 2 procesos"},
        {inProcesses(2, 1, {five}, true), "5 samples, in 1 of 2 processes (cancelled before the last)",
         "5 muestras, en 1 de 2 procesos (cancelado antes del último)"},
        {inProcesses(3, 2, {five}),
         "5 samples, in 2 of 3 processes, not to the end in 1 of them (incomplete)",
         "5 muestras, en 2 de 3 procesos, sin llegar al final en 1 de ellos (incompleto)"},
        {inProcesses(1, 1, {five}), "5 samples", "5 muestras"},
    };
}

inline std::vector<RunSentence> noteSentences() {
    return {
        {debugBuildNote(), "This is a debug build: timings are not those of a release build.",
         "Es una compilación de depuración: los tiempos no son los de una de producción."},
        {governorNote("powersave"),
         "The processor's frequency governor is \"powersave\": timings may vary with its clock.",
         "El regulador de frecuencia del procesador es «powersave»: los tiempos pueden variar con su reloj."},
        {loadAverageNote(2.674, 2), "Other programs were busy: the load average was 2.67 on 2 cores.",
         "Otros programas estaban ocupados: la carga media era 2.67 en 2 núcleos."},
        {passiveWaitingNote(4.4),
         "Other programs were running when this began (4.4 threads on average): threads that wait for each "
         "other sleep instead of spinning (OMP_WAIT_POLICY=passive). Set OMP_WAIT_POLICY to decide it "
         "yourself.",
         "Otros programas se ejecutaban al empezar (4.4 hilos de media): los hilos que se esperan unos a "
         "otros "
         "duermen en lugar de girar (OMP_WAIT_POLICY=passive). Defina OMP_WAIT_POLICY para decidirlo usted."},
        {fewProcessesNote(2, 3, few_processes::kSamplesAsked),
         "The samples come from 2 processes: fewer samples were asked for than the 3 processes that a "
         "verdict "
         "needs; ask for more, or leave their number out.",
         "Las muestras son de 2 procesos: se pidieron menos muestras que los 3 procesos que necesita un "
         "veredicto; pida más, o no indique cuántas."},
        {fewProcessesNote(1, 3, few_processes::kProcessesAsked),
         "The samples come from 1 process: so many were asked for, and a verdict needs 3.",
         "Las muestras son de 1 proceso: se pidieron tantos, y un veredicto necesita 3."},
        {fewProcessesNote(1, 3, few_processes::kTrainedOnce),
         "The samples come from 1 process: a training on a dataset is trained once, and a verdict needs 3 "
         "trainings: preset thesis, or processes 3.",
         "Las muestras son de 1 proceso: con un conjunto de datos se entrena una vez, y un veredicto "
         "necesita 3 "
         "entrenamientos: ajuste thesis, o processes 3."},
    };
}

} // namespace heteroscope::test
