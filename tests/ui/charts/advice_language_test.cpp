// SPDX-License-Identifier: GPL-3.0-or-later
// The advice in Spanish: every rule, whole, and nothing in it that is still English.
#include "tests/ui/program/ui_test.h"
#include "tests/unit/analysis/gpu_trace_maker.h"
#include "ui/analyze/device_page.h"
#include "ui/common/language.h"
#include "ui/common/phrase_text.h"

#include <QListWidget>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace heteroscope;
using namespace heteroscope::ui;
using profiling::Advice;
using profiling::Phrase;
using profiling::RunFigures;

namespace {

const std::string kRun = "cuda:0/cuda, size 64", kKernel = "gemm<float>";

struct Example {
    Advice advice;
    std::string spanish;
};

RunFigures run() {
    RunFigures run;
    run.run = 0;
    run.name = kRun;
    run.time.wallNs = 1000000;
    run.sample = {{0, 1000000}, 1};
    run.tracedMs = run.untracedMs = 1;
    return run;
}

std::int64_t& part(RunFigures& run, profiling::TimePart part) {
    return run.time.partNs[static_cast<std::size_t>(part)];
}

profiling::TransferGroup copies(std::int64_t count, std::int64_t bytes, std::int64_t busyNs) {
    profiling::TransferGroup group;
    group.route = profiling::CopyRoute::HostToDevice;
    group.memory = "pageable";
    group.count = count;
    group.bytes = bytes;
    group.busyNs = busyNs;
    return group;
}

Advice ofTransfers(std::int64_t count) {
    RunFigures transfers = run();
    part(transfers, profiling::TimePart::Copy) = 88000;
    transfers.time.launchOfCopiesNs = 412000;
    transfers.transfers.groups = {copies(count, 1000 * count, 80000)};
    if (count > 1)
        transfers.transfers.peaks[0] = profiling::LinkPeak{4, 1, "pinned", {}};
    return *transfersDominate(transfers);
}

Advice ofLaunches() {
    RunFigures launches = run();
    launches.time.launchOfKernelsNs = 200000;
    part(launches, profiling::TimePart::Launch) = 441000;
    launches.medianKernelNs = 1500;
    launches.medianLaunchNs = 4000;
    launches.backToBackNs = 600000;
    return *launchesDominate(launches);
}

Advice ofPageableCopies() {
    RunFigures pageable = run();
    pageable.transfers.groups = {copies(2, 400000, 200000)};
    pageable.transfers.groups[0].underKernelsNs = 50000;
    pageable.transfers.peaks[0] = profiling::LinkPeak{8, 1, "pinned", {}};
    return *pageableCopies(pageable);
}

Advice ofIdleGaps() {
    RunFigures idle = run();
    part(idle, profiling::TimePart::Synchronise) = 250000;
    part(idle, profiling::TimePart::Other) = 150000;
    idle.longestIdle = {{0, 12345}, 1};
    return *idleGaps(idle);
}

Advice ofOverhead() {
    RunFigures recorded = run();
    recorded.overheadNs = 60000;
    recorded.tracingOverheadPercent = 12.5;
    return *profilerOverhead(recorded);
}

RunFigures withKernel(int registers, int blocks) {
    RunFigures computed = run();
    computed.device = profiling::MultiprocessorLimits{132, 9, 2048, 32, 65536, 233472, 1024};
    profiling::KernelUse kernel;
    kernel.name = kKernel;
    kernel.shape.grid = {blocks, 1, 1};
    kernel.shape.block = {128, 1, 1};
    kernel.shape.registersPerThread = registers;
    kernel.count = 1;
    kernel.busyNs = 500000;
    computed.kernels = {kernel};
    return computed;
}

RunFigures withClocks(std::vector<profiling::ClockTime> clocks) {
    RunFigures clocked = run();
    clocked.clocks = std::move(clocks);
    return clocked;
}

Advice ofLostRecords() {
    profiling::DataQuality quality;
    quality.droppedEvents = 12345;
    return *lostRecords(quality);
}

Advice ofUnlinkedWork() {
    profiling::DeviceWork work;
    work.kernels.resize(5);
    work.withoutLaunch = 2;
    return *unlinkedWork(work);
}

/// At least one of each rule.
std::vector<Example> examples() {
    const std::string noClockGain = " No se estima ninguna ganancia: lo que calcula sigue al reloj y lo que "
                                    "espera a la memoria no, y depende de cuál de los dos sea.";
    return {
        {ofTransfers(4),
         "cuda:0/cuda, size 64: las transferencias ocupan el 50.0 % del tiempo real de las muestras "
         "trazadas: "
         "las copias el 8.8 % y las llamadas del anfitrión que las piden el 41.2 % (4 copias de 1000 B de "
         "media). Mueva más datos en menos copias, o déjelos en el dispositivo. Ganancia estimada: el 49.9 % "
         "del tiempo de una repetición sin traza: las copias y sus llamadas sin lo que añade la grabación, "
         "menos los mismos bytes a la mejor tasa vista."},
        {ofTransfers(1),
         "cuda:0/cuda, size 64: las transferencias ocupan el 50.0 % del tiempo real de las muestras "
         "trazadas: "
         "las copias el 8.8 % y las llamadas del anfitrión que las piden el 41.2 % (1 copia de 1000 B de "
         "media). Mueva más datos en menos copias, o déjelos en el dispositivo. No se estima ninguna "
         "ganancia: no se conoce la tasa del enlace, la grabación no tiene ninguna copia grande."},
        {ofLaunches(),
         "cuda:0/cuda, size 64: el dispositivo espera a que se lancen kernels durante el 20.0 % del tiempo "
         "real de las muestras trazadas (lanzamiento: 44.1 %): la mediana de los kernels es 1.50 µs y la de "
         "sus lanzamientos 4.00 µs. Dé más trabajo a cada kernel, fusione kernels o láncelos como un grafo "
         "CUDA. Ganancia estimada: el 40.0 % del tiempo de una repetición sin traza: sus kernels uno justo "
         "detrás de otro, y los gradientes de los pesos a la vez que los de las entradas."},
        {ofPageableCopies(),
         "cuda:0/cuda, size 64: las copias de memoria paginable (anfitrión a dispositivo) ocupan el 20.0 % "
         "del tiempo real de las muestras trazadas, el 15.0 % sin ningún kernel en ejecución, a 2.00 GB/s, "
         "cuando una copia de memoria fijada alcanzó 8.00 GB/s. Haga que los datos se creen en memoria "
         "fijada. No se estima ninguna ganancia: copiar antes a memoria fijada cuesta al anfitrión tanto "
         "como "
         "la copia intermedia del controlador, y no se sabe si se puede evitar."},
        {ofIdleGaps(),
         "cuda:0/cuda, size 64: durante el 40.0 % del tiempo real de las muestras trazadas el dispositivo no "
         "tiene nada que hacer y el anfitrión no lanza nada: sincronización 25.0 % y otro 15.0 %; el hueco "
         "más largo dura 12.3 µs. Encole el trabajo por adelantado en vez de esperar después de cada paso, y "
         "solape el trabajo del anfitrión con el del dispositivo. No se estima ninguna ganancia: no se sabe "
         "cuánto de ello espera resultados del dispositivo; es como mucho la proporción indicada."},
        {ofOverhead(),
         "cuda:0/cuda, size 64: la grabación perturba lo que se ve aquí: el trabajo del propio perfilador "
         "ocupa el 6.0 % del tiempo real de las muestras trazadas, y estas tardan un 12.5 % más que las "
         "muestras sin traza. Compare los tiempos de las muestras sin traza y lea con cautela las "
         "proporciones de aquí. Ganancia estimada: el 11.1 % del tiempo de una repetición con traza, sin la "
         "grabación."},
        {*lowOccupancy(withKernel(255, 1000)),
         "cuda:0/cuda, size 64: el kernel gemm<float> puede alcanzar una ocupación del 12.5 %, 8 de 64 "
         "warps, "
         "limitado por registros. Con pocos warps se oculta poca latencia; use menos registros o menos "
         "memoria compartida por bloque, u otro tamaño de bloque, salvo que cada hilo tenga bastante trabajo "
         "independiente. No se estima ninguna ganancia: los kernels con pocos warps y mucho trabajo "
         "independiente están entre los más rápidos."},
        {*smallGrid(withKernel(16, 33)),
         "cuda:0/cuda, size 64: la malla del kernel gemm<float> (bloques: 33) no llega a los 132 "
         "multiprocesadores, así que parte del dispositivo está inactiva mientras se ejecuta. Reparta el "
         "trabajo en más bloques, o ejecute varios kernels a la vez en flujos (streams). Ganancia estimada: "
         "el 37.5 % del tiempo de una repetición sin traza: un bloque en cada multiprocesador y un segundo "
         "kernel que une sus resultados; ninguno tarda menos que su lanzamiento."},
        {*throttling(withClocks({{"power limit, heat", false, 40000, {}}, {"heat", false, 10000, {}}})),
         "cuda:0/cuda, size 64: los relojes del dispositivo estuvieron frenados durante el 5.0 % del tiempo "
         "real de las muestras trazadas: límite de potencia, temperatura; temperatura. Estos tiempos no son "
         "los del dispositivo con su reloj máximo: deje que se enfríe, revise su refrigeración y su "
         "alimentación, y repita la ejecución." +
             noClockGain},
        {*powerLimit(withClocks({{"power limit", false, 50000, {}}})),
         "cuda:0/cuda, size 64: nota: durante el 5.0 % del tiempo real de las muestras trazadas el "
         "dispositivo funcionó en su límite de potencia y por debajo de su reloj máximo, y nada más lo "
         "frenaba. Es normal a plena carga; compare con ejecuciones que tengan el mismo límite." +
             noClockGain},
        {*idleClocks(withClocks({{"nothing runs", true, 500000, {}}})),
         "cuda:0/cuda, size 64: nota: durante el 50.0 % del tiempo real de las muestras trazadas el "
         "controlador aún daba el dispositivo por inactivo, con los relojes por debajo de los que alcanza "
         "bajo carga. Con muestras o un calentamiento más largos se mide a su velocidad." +
             noClockGain},
        {ofLostRecords(),
         "La grabación no está completa (registros perdidos: 12\u00a0345; sin marca de tiempo: 0). Los "
         "recuentos y los tiempos de aquí se quedan cortos; grabe menos repeticiones."},
        {ofUnlinkedWork(), "De 5 kernels y copias no tienen enlace con la llamada que los lanzó: 2. Cuánto "
                           "esperaron en la cola "
                           "no se sabe, y cuenta como sincronización u otro."},
    };
}

/// What of a phrase a Spanish reader would read in English: words without a Spanish text, and words that were
/// not given to say(), since they are neither names nor figures.
QStringList englishIn(const Phrase& phrase) {
    static const QRegularExpression kFigure(
        "^[<>-]?[\\d.,\u00a0 ]+(%|ns|\u00b5s|ms|s|min|B|[KMGT]iB|[kMGT]?B/s)?$");
    static const QStringList kSameInSpanish{"warps"};
    QStringList english;
    const QString format = QString::fromStdString(phrase.format);
    const bool hasLetters = std::any_of(format.begin(), format.end(), [](QChar c) { return c.isLetter(); });
    if (!phrase.isGiven) {
        const QString spanish = phraseText(profiling::say(phrase.format.c_str()));
        if (hasLetters && spanish == format && !kSameInSpanish.contains(format))
            english << format;
    } else if (hasLetters && phrase.format != kRun && phrase.format != kKernel &&
               !kFigure.match(format).hasMatch()) {
        english << format;
    }
    for (const Phrase& argument : phrase.arguments)
        english << englishIn(argument);
    return english;
}

} // namespace

class AdviceLanguageTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { applyLanguage("es"); }

    void everyRuleIsTried() {
        for (const std::string_view rule : profiling::kAdviceRules) {
            const auto all = examples();
            QVERIFY2(std::any_of(all.begin(), all.end(),
                                 [&](const Example& one) { return one.advice.rule == rule; }),
                     std::string(rule).c_str());
        }
    }

    void everyRuleIsSaidInSpanish() {
        for (const Example& one : examples()) {
            const QString said = phraseText(one.advice.sentences);
            QVERIFY2(said == QString::fromStdString(one.spanish),
                     qPrintable(said)); // whole, where they differ
        }
    }

    void nothingIsLeftInEnglish() {
        for (const Example& one : examples())
            for (const Phrase& phrase : {one.advice.sentences, one.advice.basis, one.advice.gain.why}) {
                QVERIFY2(!phrase.empty(), one.advice.rule.c_str());
                const QStringList english = englishIn(phrase);
                QVERIFY2(english.isEmpty(), qPrintable(english.join('\n')));
            }
    }

    void wordsThatAreNotPhrasesAreSeen() {
        QCOMPARE(englishIn(profiling::say("Shown from %1.", {std::string("a quarter")})),
                 QStringList{"a quarter"});
        QCOMPARE(englishIn(profiling::say("no such phrase")), QStringList{"no such phrase"});
    }

    void thePageShowsItSo() {
        profiling::test::GpuTraceMaker maker;
        maker.kernel(0, 100);
        const auto reading = std::make_shared<DeviceReading>();
        reading->trace = std::shared_ptr<const profiling::Trace>(std::shared_ptr<void>(), &maker.trace());
        reading->report = profiling::deviceReport(*reading->trace, reading->study);
        reading->report.advice.clear();
        const auto all = examples();
        for (const Example& one : all)
            reading->report.advice.push_back(one.advice);
        DevicePage page;
        page.setReading(reading);
        const auto* list = page.findChild<QListWidget*>(QStringLiteral("deviceAdvice"));
        QCOMPARE(list->count(), static_cast<int>(all.size()));
        for (int row = 0; row < list->count(); ++row) {
            QCOMPARE(list->item(row)->text(),
                     QString::fromStdString(all[static_cast<std::size_t>(row)].spanish));
            QVERIFY(list->item(row)->toolTip().startsWith("Se muestra "));
        }
    }
};

HETEROSCOPE_UI_TEST(AdviceLanguageTest)
#include "advice_language_test.moc"
