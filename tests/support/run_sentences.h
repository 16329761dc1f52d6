// SPDX-License-Identifier: Apache-2.0
// Every stop rule and every note on the environment that a worker can write, and the failures that it tells
// most often, with what it says in English and in Spanish.
#pragma once

#include "compute/base/run_note.h"
#include "compute/base/stop_rule.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::test {

struct RunSentence {
    Json codes; ///< stoppedBy of a run, or a note; null of what has none
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

/// Failures as a worker tells them (Error::sentence()), and what it was doing. Without codes.
inline std::vector<RunSentence> failureSentences() {
    return {
        {{}, "stopped before it began", "detenida antes de empezar"},
        {{}, "stopped before its end", "detenida antes de terminar"},
        {{},
         "stopped on request (SIGTERM from bash (pid 12))",
         "detenido a petición (SIGTERM from bash (pid 12))"},
        {{},
         "no run finished: needs 12.0 GiB of memory, 8.1 GiB may be used; a size of 16384 x 16384 would fit",
         "ninguna ejecución terminó: necesita 12.0 GiB de memoria, se pueden usar 8.1 GiB; cabría un tamaño "
         "de 16384 x 16384"},
        {{},
         "needs 1.5 GiB of memory, 1.0 GiB may be used; a batch of 64 would fit",
         "necesita 1.5 GiB de memoria, se pueden usar 1.0 GiB; cabría un lote de 64"},
        {{},
         "needs 1.5 GiB of memory, 1.0 GiB may be used; m = n = k = 512 would fit",
         "necesita 1.5 GiB de memoria, se pueden usar 1.0 GiB; cabría m = n = k = 512"},
        {{},
         "needs 1.5 GiB of memory, 1.0 GiB may be used; choose smaller layers",
         "necesita 1.5 GiB de memoria, se pueden usar 1.0 GiB; elija capas más pequeñas"},
        {{},
         "needs 1.5 GiB of memory, 1.0 GiB may be used; choose a smaller input",
         "necesita 1.5 GiB de memoria, se pueden usar 1.0 GiB; elija una entrada más pequeña"},
        {{}, "memory ran out; choose a smaller size", "la memoria se agotó; elija un tamaño menor"},
        {{},
         "cpu: no room for 4096 bytes; allowed: 1024 bytes are free; choose a smaller size",
         "cpu: no hay sitio para 4096 bytes; permitido: hay 1024 bytes libres; elija un tamaño menor"},
        {{},
         "cuda:0: no room for 90.0 GiB on the device; allowed: 78.5 GiB are free; choose a smaller size, or "
         "close other programs that hold memory of this device",
         "cuda:0: no hay sitio para 90.0 GiB en el dispositivo; permitido: hay 78.5 GiB libres; elija un "
         "tamaño menor o cierre otros programas que ocupen memoria de este dispositivo"},
        {{},
         "cuda:0: no room for 90.0 GiB on the device; allowed: 78.5 GiB are free",
         "cuda:0: no hay sitio para 90.0 GiB en el dispositivo; permitido: hay 78.5 GiB libres"},
        {{},
         "target 'cuda:1/cuda': there is no device 'cuda:1'; allowed: cpu, cuda:0; 'heteroscope-cli devices' "
         "lists what there is",
         "objetivo «cuda:1/cuda»: no existe el dispositivo «cuda:1»; permitido: cpu, cuda:0; "
         "«heteroscope-cli "
         "devices» muestra lo que hay"},
        {{},
         "target 'cpu/fast': device 'cpu' has no implementation 'fast'; allowed: sequential, openmp; "
         "'heteroscope-cli devices' lists what there is",
         "objetivo «cpu/fast»: el dispositivo «cpu» no tiene la implementación «fast»; permitido: "
         "sequential, "
         "openmp; «heteroscope-cli devices» muestra lo que hay"},
        {{},
         "target 'cuda:0/cuda': device 'cuda:0' cannot be used: this build has no cuda part (built without "
         "CUDA, or the module is not at /usr/lib/heteroscope/cuda.so)",
         "objetivo «cuda:0/cuda»: el dispositivo «cuda:0» no se puede usar: esta compilación no tiene la "
         "parte cuda (compilada sin CUDA, o el módulo no está en /usr/lib/heteroscope/cuda.so)"},
        {{},
         "target 'cuda:0/cudnn': 'cudnn' cannot be used: it cannot be loaded: libcudnn.so.9: cannot open",
         "objetivo «cuda:0/cudnn»: «cudnn» no se puede usar: no se puede cargar: libcudnn.so.9: cannot open"},
        {{},
         "cpu/openmp?impl=pool_2x2 cannot do maxpool.forward 4x4: the window is no 2x2",
         "cpu/openmp?impl=pool_2x2 no puede hacer maxpool.forward 4x4: the window is no 2x2"},
        {{},
         "process 1: a worker process was ended by signal 9 (Killed) while computing run 3, cpu/openmp, "
         "layer "
         "\"conv1\", warm-up; forecast 1.2 GiB, 0.9 GiB were free; the kernel's out-of-memory killer may "
         "have "
         "sent it: choose a smaller batch, size or fewer threads",
         "proceso 1: la señal 9 (Killed) terminó un proceso de cálculo mientras calculaba la ejecución 3, "
         "cpu/openmp, capa «conv1», calentamiento; previsión 1.2 GiB, había 0.9 GiB libres; puede ser del "
         "núcleo, que mata procesos cuando falta memoria: elija un lote o tamaño menor, o menos hilos"},
        {{},
         "process 2: a worker process was ended by signal 9 (Killed) while computing run 0, cpu/openmp, "
         "inputs; "
         "forecast 1.2 GiB; SIGKILL comes from a person (kill -9), from a batch system or container at one "
         "of "
         "its limits, or from the kernel when memory runs out, of which nothing is seen here",
         "proceso 2: la señal 9 (Killed) terminó un proceso de cálculo mientras calculaba la ejecución 0, "
         "cpu/openmp, entradas; previsión 1.2 GiB; SIGKILL es de una persona (kill -9), de un sistema de "
         "colas o "
         "contenedor en uno de sus límites, o del núcleo cuando falta memoria, de lo que aquí no se ve nada"},
        {{},
         "process 2: a worker process ended with exit code 1; its own words are above",
         "proceso 2: un proceso de cálculo terminó con el código de salida 1; sus propias palabras están "
         "arriba"},
        {{},
         "process 2: a worker process was stopped and not by this program: stopped on request (SIGTERM); run "
         "again; to end a study, signal the process that was started, which stops its workers",
         "proceso 2: un proceso de cálculo fue detenido, y no por este programa: detenido a petición "
         "(SIGTERM); ejecute de nuevo; para terminar un estudio, envíe la señal al proceso que se inició, "
         "que "
         "detiene los suyos"},
        {{},
         "process 1: a worker process ended before its stream did",
         "proceso 1: un proceso de cálculo terminó antes que su flujo de datos"},
        {{},
         "run 2, cpu/openmp, layer \"conv1\", first use; forecast 1.2 GiB, 0.9 GiB were free",
         "la ejecución 2, cpu/openmp, capa «conv1», primer uso; previsión 1.2 GiB, había 0.9 GiB libres"},
        {{},
         "run 2, cuda:0/cudnn, inference, timed samples; forecast 1.2 GiB",
         "la ejecución 2, cuda:0/cudnn, inferencia, muestras medidas; previsión 1.2 GiB"},
        {{}, "run 2, cpu/openmp, training, loss", "la ejecución 2, cpu/openmp, entrenamiento, pérdida"},
        {{},
         "run 2, cpu/openmp, training, update",
         "la ejecución 2, cpu/openmp, entrenamiento, actualización"},
        {{},
         "run 2, cpu/openmp, maxpool.forward, backward",
         "la ejecución 2, cpu/openmp, maxpool.forward, hacia atrás"},
        {{},
         "run 2, cpu/openmp, training, forward",
         "la ejecución 2, cpu/openmp, entrenamiento, hacia adelante"},
        {{},
         "run 3 on cpu/openmp, forecast 512.0 MiB of memory, layer \"conv1\": the computation was ended by "
         "SIGSEGV, an invalid memory access; memory that ends inside a library is the usual cause, or "
         "threads "
         "that it cannot start: choose a smaller batch or fewer threads, or raise the limit of this process "
         "(ulimit -v, ulimit -u, control group); what was measured before stays in the run file, where one "
         "is "
         "written",
         "la ejecución 3 en cpu/openmp, previsión 512.0 MiB de memoria, capa «conv1»: SIGSEGV, un acceso a "
         "memoria no válido, terminó el cálculo; la causa habitual es que dentro de una biblioteca se acabe "
         "la "
         "memoria o no se puedan iniciar hilos: elija un lote menor o menos hilos, o suba el límite de este "
         "proceso (ulimit -v, ulimit -u, grupo de control); lo medido hasta entonces queda en el archivo de "
         "la "
         "ejecución, si se escribe uno"},
        {{},
         "planning of run 3 on cpu/onednn, operands of 512.0 MiB, conv2d.forward: the computation was ended "
         "by "
         "SIGBUS, a memory error",
         "planificación de la ejecución 3 en cpu/onednn, operandos de 512.0 MiB, conv2d.forward: SIGBUS, un "
         "error de memoria, terminó el cálculo"},
        {{},
         "inputs of run 3 on cpu/openmp, forecast 1.5 GiB of memory: the computation was ended by SIGBUS, a "
         "memory error",
         "entradas de la ejecución 3 en cpu/openmp, previsión 1.5 GiB de memoria: SIGBUS, un error de "
         "memoria, "
         "terminó el cálculo"},
        {{},
         "check against cpu/sequential of run 3 on cpu/openmp, forecast 1.5 GiB of memory, maxpool.forward: "
         "the "
         "computation was ended by SIGFPE, an arithmetic error",
         "comprobación con cpu/sequential de la ejecución 3 en cpu/openmp, previsión 1.5 GiB de memoria, "
         "maxpool.forward: SIGFPE, un error aritmético, terminó el cálculo"},
        {{},
         "the computation was ended by SIGILL, an instruction this processor lacks",
         "SIGILL, una instrucción que este procesador no tiene, terminó el cálculo"},
        {{},
         "the computation was ended by SIGABRT, a library gave up",
         "SIGABRT, una biblioteca que se rindió, terminó el cálculo"},
        {{}, "the memory of this process ran out", "la memoria de este proceso se agotó"},
        {{}, "an internal error that nobody caught", "un error interno que nadie trató"},
        {{}, "a library ended the program", "una biblioteca terminó el programa"},
        {{},
         "/data/a: b/run.hscope: cannot be written: No space left on device; free some space or choose "
         "another "
         "place",
         "/data/a: b/run.hscope: no se puede escribir: no queda espacio en el dispositivo; libere espacio o "
         "elija otro lugar"},
        {{},
         "r.hscope: cannot be written: Too many open files; this process may have 4 files open at a time: "
         "raise that limit (ulimit -n)",
         "r.hscope: no se puede escribir: hay demasiados archivos abiertos; este proceso puede tener 4 "
         "archivos abiertos a la vez: suba ese límite (ulimit -n)"},
        {{},
         "r.hscope: cannot be written: File too large; this process may write files of 12000 bytes at most: "
         "raise that limit (ulimit -f)",
         "r.hscope: no se puede escribir: el archivo es demasiado grande; este proceso puede escribir "
         "archivos de 12000 bytes como mucho: suba ese límite (ulimit -f)"},
        {{},
         "r.hscope: cannot be written: File too large; choose a place whose file system takes larger files",
         "r.hscope: no se puede escribir: el archivo es demasiado grande; elija un lugar cuyo sistema de "
         "archivos admita archivos más grandes"},
        {{},
         "close other programs, or raise the system's limit (sysctl fs.file-max)",
         "cierre otros programas o suba el límite del sistema (sysctl fs.file-max)"},
        {{},
         "r.hscope: cannot be written: Disk quota exceeded; free some space or choose another place",
         "r.hscope: no se puede escribir: se ha superado la cuota de disco; libere espacio o elija otro "
         "lugar"},
    };
}

} // namespace heteroscope::test
