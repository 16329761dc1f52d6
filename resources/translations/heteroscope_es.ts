<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>AxisText</name>
    <message>
        <source>Input size N (elements per side)</source>
        <translation>Tamaño de la entrada N (elementos por lado)</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Canales</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>canales</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Tamaño del lote</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>lote</translation>
    </message>
    <message>
        <source>Kernel size k (elements per side)</source>
        <translation>Tamaño de núcleo k (elementos por lado)</translation>
    </message>
    <message>
        <source>Stride s (elements)</source>
        <translation>Paso s (elementos)</translation>
    </message>
    <message>
        <source>Padding p (elements per side)</source>
        <translation>Relleno p (elementos por lado)</translation>
    </message>
    <message>
        <source>Rows of A, m</source>
        <translation>Filas de A, m</translation>
    </message>
    <message>
        <source>Columns of B, n</source>
        <translation>Columnas de B, n</translation>
    </message>
    <message>
        <source>Columns of A, k</source>
        <translation>Columnas de A, k</translation>
    </message>
    <message>
        <source>Matrix order N</source>
        <translation>Orden de la matriz N</translation>
    </message>
    <message>
        <source>Matrix order, m = n = k</source>
        <translation>Orden de la matriz, m = n = k</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
    <message>
        <source>network</source>
        <translation>red</translation>
    </message>
</context>
<context>
    <name>ChartText</name>
    <message>
        <source>planned</source>
        <translation>planificada</translation>
    </message>
    <message>
        <source>running</source>
        <translation>en curso</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>correcta</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fallido</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>omitida</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>cancelada</translation>
    </message>
    <message>
        <source>n &lt; 5</source>
        <translation>n &lt; 5</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Aceleración</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>referencia</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ejecución</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Objetivo</translation>
    </message>
    <message>
        <source>No run of this study has a result yet.</source>
        <translation>Ninguna ejecución de este estudio tiene aún un resultado.</translation>
    </message>
    <message>
        <source>Wait for the first samples, or show a target that is hidden.</source>
        <translation>Espere las primeras muestras o muestre un objetivo oculto.</translation>
    </message>
    <message>
        <source>%1, log scale</source>
        <translation>%1, escala logarítmica</translation>
    </message>
    <message>
        <source>FASTER</source>
        <translation>MÁS RÁPIDO</translation>
    </message>
    <message>
        <source>SLOWER</source>
        <translation>MÁS LENTO</translation>
    </message>
    <message>
        <source>SAME</source>
        <translation>IGUAL</translation>
    </message>
    <message>
        <source>UNCLEAR</source>
        <translation>INCIERTO</translation>
    </message>
    <message>
        <source>NO RESULT</source>
        <translation>SIN RESULTADO</translation>
    </message>
    <message>
        <source>Time against size</source>
        <translation>Tiempo frente a tamaño</translation>
    </message>
    <message>
        <source>Speedup by threads</source>
        <translation>Aceleración por hilos</translation>
    </message>
    <message>
        <source>Thread efficiency</source>
        <translation>Eficiencia por hilo</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Rendimiento</translation>
    </message>
    <message>
        <source>Distribution of samples</source>
        <translation>Distribución de las muestras</translation>
    </message>
    <message>
        <source>Samples in run order</source>
        <translation>Muestras en orden de ejecución</translation>
    </message>
    <message>
        <source>Time against windows</source>
        <translation>Tiempo frente a ventanas</translation>
    </message>
    <message>
        <source>Comparison of two studies</source>
        <translation>Comparación de dos estudios</translation>
    </message>
    <message>
        <source>This chart compares two studies; only one is open.</source>
        <translation>Esta gráfica compara dos estudios; solo hay uno abierto.</translation>
    </message>
    <message>
        <source>%1 is not slower than %2 at any size</source>
        <translation>%1 no es más lento que %2 en ningún tamaño</translation>
    </message>
    <message>
        <source>%1 is not faster than %2 at any size</source>
        <translation>%1 no es más rápido que %2 en ningún tamaño</translation>
    </message>
    <message>
        <source>%1 is faster than %2 from %3 = %4</source>
        <translation>%1 es más rápido que %2 desde %3 = %4</translation>
    </message>
    <message>
        <source>%1 is faster from %2 = %3</source>
        <translation>%1 es más rápido desde %2 = %3</translation>
    </message>
    <message>
        <source>PDF (vector)</source>
        <translation>PDF (vectorial)</translation>
    </message>
    <message>
        <source>SVG (vector)</source>
        <translation>SVG (vectorial)</translation>
    </message>
    <message>
        <source>PNG (pixels)</source>
        <translation>PNG (píxeles)</translation>
    </message>
    <message>
        <source>CSV (plotted points)</source>
        <translation>CSV (puntos de la gráfica)</translation>
    </message>
    <message>
        <source>LaTeX (pgfplots)</source>
        <translation>LaTeX (pgfplots)</translation>
    </message>
    <message>
        <source>Text column, 84 × 60 mm</source>
        <translation>Columna, 84 × 60 mm</translation>
    </message>
    <message>
        <source>Page width, 174 × 100 mm</source>
        <translation>Ancho de página, 174 × 100 mm</translation>
    </message>
    <message>
        <source>Slide 16:9, 254 × 143 mm</source>
        <translation>Diapositiva 16:9, 254 × 143 mm</translation>
    </message>
    <message>
        <source>The picture is too large for memory; choose a smaller size or fewer dpi.</source>
        <translation>La imagen es demasiado grande para la memoria; elija un tamaño menor o menos ppp.</translation>
    </message>
    <message>
        <source>Runs with fewer than 5 samples: %1. They are drawn as dots without an interval. Run again with preset standard.</source>
        <translation>Ejecuciones con menos de 5 muestras: %1. Se dibujan como puntos sin intervalo. Ejecute de nuevo con el ajuste standard.</translation>
    </message>
    <message>
        <source>Runs whose output differs from sequential&apos;s: %1. Their times are not of equal work.</source>
        <translation>Ejecuciones cuya salida difiere de la secuencial: %1. Sus tiempos no son del mismo trabajo.</translation>
    </message>
    <message>
        <source>Runs whose output was not checked: %1.</source>
        <translation>Ejecuciones cuya salida no se comprobó: %1.</translation>
    </message>
    <message>
        <source>Measured with a debug build: do not print these times. Build release and run again.</source>
        <translation>Medido con una compilación de depuración: no publique estos tiempos. Compile en modo release y ejecute de nuevo.</translation>
    </message>
    <message>
        <source>The reference %1 has no result.</source>
        <translation>La referencia %1 no tiene resultado.</translation>
    </message>
    <message>
        <source>The reference is parallel code on one thread; the best serial implementation is the fairer one.</source>
        <translation>La referencia es código paralelo con un hilo; la mejor implementación en serie es más justa.</translation>
    </message>
    <message>
        <source>The study ended as &quot;%1&quot;: later runs are missing.</source>
        <translation>El estudio terminó como «%1»: faltan las ejecuciones posteriores.</translation>
    </message>
    <message>
        <source>The two studies ran on different machines.</source>
        <translation>Los dos estudios se ejecutaron en máquinas distintas.</translation>
    </message>
    <message>
        <source>No run of the two studies has the same point and target.</source>
        <translation>Ninguna ejecución de los dos estudios tiene el mismo punto y objetivo.</translation>
    </message>
    <message>
        <source>Compare studies that share sizes and targets.</source>
        <translation>Compare estudios que compartan tamaños y objetivos.</translation>
    </message>
    <message>
        <source>Speedup of B over A</source>
        <translation>Aceleración de B sobre A</translation>
    </message>
    <message>
        <source>Differs: %1</source>
        <translation>Difiere: %1</translation>
    </message>
    <message>
        <source>median %1, quartiles %2 to %3, n = %4, outliers %5</source>
        <translation>mediana %1, cuartiles %2 a %3, n = %4, atípicos %5</translation>
    </message>
    <message>
        <source>Time per run (ms), log scale</source>
        <translation>Tiempo por ejecución (ms), escala logarítmica</translation>
    </message>
    <message>
        <source>Time per run (ms)</source>
        <translation>Tiempo por ejecución (ms)</translation>
    </message>
    <message>
        <source>Target, at %1</source>
        <translation>Objetivo, en %1</translation>
    </message>
    <message>
        <source>Every sample (dots) with its quartiles (box) and median (line). Diamonds lie more than 1.5, stars more than 3 interquartile ranges outside the box; none is left out of the statistics. Boxes are drawn from 5 samples on.</source>
        <translation>Cada muestra (puntos) con sus cuartiles (caja) y su mediana (línea). Los rombos están a más de 1.5 y las estrellas a más de 3 rangos intercuartílicos fuera de la caja; ninguna se excluye de la estadística. Las cajas se dibujan a partir de 5 muestras.</translation>
    </message>
    <message>
        <source>Samples in run order, at %1</source>
        <translation>Muestras en orden de ejecución, en %1</translation>
    </message>
    <message>
        <source>Time since the first of these samples (s)</source>
        <translation>Tiempo desde la primera de estas muestras (s)</translation>
    </message>
    <message>
        <source>sample %1, %2</source>
        <translation>muestra %1, %2</translation>
    </message>
    <message>
        <source>Single samples in the order in which they were taken; a slope or a step means that the machine changed during the study. Warm-ups and traced samples are left out.</source>
        <translation>Muestras individuales en el orden en que se tomaron; una pendiente o un escalón significa que la máquina cambió durante el estudio. Se omiten las de calentamiento y las trazadas.</translation>
    </message>
    <message>
        <source>Speedup vs %1, log scale</source>
        <translation>Aceleración frente a %1, escala logarítmica</translation>
    </message>
    <message>
        <source>Speedup vs %1</source>
        <translation>Aceleración frente a %1</translation>
    </message>
    <message>
        <source>Speedup against %1: ratio of medians (of several processes their geometric mean) with 95 % intervals; hollow marks are UNCLEAR.</source>
        <translation>Aceleración frente a %1: cociente de medianas (con varios procesos, su media geométrica) con intervalos del 95 %; las marcas huecas son INCIERTAS.</translation>
    </message>
    <message>
        <source>Target, with its median time</source>
        <translation>Objetivo, con su tiempo mediano</translation>
    </message>
    <message>
        <source>Target, with its median time at %1</source>
        <translation>Objetivo, con su tiempo mediano en %1</translation>
    </message>
    <message>
        <source>Speedup against %1: ratio of medians (of several processes their geometric mean), whiskers are 95 % intervals, hatched bars are UNCLEAR; the median time stands under each bar.</source>
        <translation>Aceleración frente a %1: cociente de medianas (con varios procesos, su media geométrica), los bigotes son intervalos del 95 %, las barras rayadas son INCIERTAS; el tiempo mediano está debajo de cada barra.</translation>
    </message>
    <message>
        <source>A speedup needs two targets; this study has one.</source>
        <translation>Una aceleración necesita dos objetivos; este estudio tiene uno.</translation>
    </message>
    <message>
        <source>Add a second target in Build and run again.</source>
        <translation>Añada un segundo objetivo en Construir y ejecute de nuevo.</translation>
    </message>
    <message>
        <source>No run has a speedup: the reference %1 has no result at the same points.</source>
        <translation>Ninguna ejecución tiene aceleración: la referencia %1 no tiene resultado en los mismos puntos.</translation>
    </message>
    <message>
        <source>Choose another reference on the right.</source>
        <translation>Elija otra referencia a la derecha.</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 hilo</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 hilos</translation>
    </message>
    <message>
        <source>%1× with %2 threads, %3, n = %4</source>
        <translation>%1× con %2 hilos, %3, n = %4</translation>
    </message>
    <message>
        <source>efficiency %1 %, %2</source>
        <translation>eficiencia %1 %, %2</translation>
    </message>
    <message>
        <source>%1: serial fraction %2 %</source>
        <translation>%1: fracción en serie %2 %</translation>
    </message>
    <message>
        <source> [%1, %2]</source>
        <translation> [%1, %2]</translation>
    </message>
    <message>
        <source>, at most %1× with any number of threads</source>
        <translation>, como mucho %1× con cualquier número de hilos</translation>
    </message>
    <message>
        <source>%1, Amdahl fit</source>
        <translation>%1, ajuste de Amdahl</translation>
    </message>
    <message>
        <source>No target ran with two or more numbers of threads.</source>
        <translation>Ningún objetivo se ejecutó con dos o más números de hilos.</translation>
    </message>
    <message>
        <source>Add targets such as cpu/openmp?threads=1 and cpu/openmp?threads=2 in Build.</source>
        <translation>Añada en Construir objetivos como cpu/openmp?threads=1 y cpu/openmp?threads=2.</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>ideal</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 núcleos de CPU</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Hilos</translation>
    </message>
    <message>
        <source>Threads, at %1</source>
        <translation>Hilos, en %1</translation>
    </message>
    <message>
        <source>Speedup over one thread</source>
        <translation>Aceleración sobre un hilo</translation>
    </message>
    <message>
        <source>This study has no axis with at least two numeric values.</source>
        <translation>Este estudio no tiene ningún eje con al menos dos valores numéricos.</translation>
    </message>
    <message>
        <source>Add an axis such as the input size in Build and run again.</source>
        <translation>Añada en Construir un eje como el tamaño de la entrada y ejecute de nuevo.</translation>
    </message>
    <message>
        <source>The runs do not say how many bytes or operations they need.</source>
        <translation>Las ejecuciones no dicen cuántos bytes u operaciones necesitan.</translation>
    </message>
    <message>
        <source>Repeat the study with this version of the program.</source>
        <translation>Repita el estudio con esta versión del programa.</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>mediana %1</translation>
    </message>
    <message>
        <source>, n = %1</source>
        <translation>, n = %1</translation>
    </message>
    <message>
        <source>Add an axis such as the input size in Build, or use the speedup chart for one point.</source>
        <translation>Añada en Construir un eje como el tamaño de la entrada o use la gráfica de aceleración para un solo punto.</translation>
    </message>
    <message>
        <source>%1: %2 per window</source>
        <translation>%1: %2 por ventana</translation>
    </message>
    <message>
        <source>Add the input size as an axis in Build and run again.</source>
        <translation>Añada en Construir el tamaño de la entrada como eje y ejecute de nuevo.</translation>
    </message>
    <message>
        <source>%1 windows, %2, %3 per window</source>
        <translation>%1 ventanas, %2, %3 por ventana</translation>
    </message>
    <message>
        <source>Only pooling studies extract windows.</source>
        <translation>Solo los estudios de pooling extraen ventanas.</translation>
    </message>
    <message>
        <source>Open a pooling study, such as the window-strategy example.</source>
        <translation>Abra un estudio de pooling, como el ejemplo de la estrategia por ventanas.</translation>
    </message>
    <message>
        <source>Windows extracted, log scale</source>
        <translation>Ventanas extraídas, escala logarítmica</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Todas las ejecuciones</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Método</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Entorno</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experimento</translation>
    </message>
    <message>
        <source>Heteroscope report</source>
        <translation>Informe de Heteroscope</translation>
    </message>
    <message>
        <source>%1: holds no run; open a run file (.hscope).</source>
        <translation>%1: no contiene ninguna ejecución; abra un archivo de ejecución (.hscope).</translation>
    </message>
    <message>
        <source>No run file was given; name at least one after --runs.</source>
        <translation>No se dio ningún archivo de ejecución; indique al menos uno tras --runs.</translation>
    </message>
    <message>
        <source>(n &lt; 5)</source>
        <translation>(n &lt; 5)</translation>
    </message>
    <message>
        <source>Roofline of operations</source>
        <translation>Roofline de las operaciones</translation>
    </message>
    <message>
        <source>, %1 % of the memory&apos;s roof</source>
        <translation>, %1 % del techo de la memoria</translation>
    </message>
    <message>
        <source>, %1 % of the fp32 roof</source>
        <translation>, %1 % del techo fp32</translation>
    </message>
    <message>
        <source>%1, %2: %3 at %4 FLOP a byte%5, n = %6</source>
        <translation>%1, %2: %3 con %4 FLOP por byte%5, n = %6</translation>
    </message>
    <message>
        <source>%1, memory roof</source>
        <translation>%1, techo de la memoria</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>memoria %1</translation>
    </message>
    <message>
        <source>%1, fp32 roof</source>
        <translation>%1, techo fp32</translation>
    </message>
    <message>
        <source>fp32 %1</source>
        <translation>fp32 %1</translation>
    </message>
    <message>
        <source>%1, as counted</source>
        <translation>%1, según los contadores</translation>
    </message>
    <message>
        <source>%1, %2: %3 and %4 moved, as the device counted</source>
        <translation>%1, %2: %3 y %4 movidos, según contó el dispositivo</translation>
    </message>
    <message>
        <source>Roofline: median rate of each operation against its arithmetic intensity, bars from the first to the third quartile. Bytes and operations are what the operation needs at least; times are from the timeline, those of its kernels on a GPU and of its span on a processor. Above the memory&apos;s roof, caches served it. %1.</source>
        <translation>Roofline: tasa mediana de cada operación frente a su intensidad aritmética; las barras van del primer al tercer cuartil. Los bytes y las operaciones son los que la operación necesita como mínimo; los tiempos son de la línea de tiempo: los de sus kernels en una GPU y el de su tramo en un procesador. Por encima del techo de la memoria, los datos vinieron de las cachés. %1.</translation>
    </message>
    <message>
        <source>The timeline of this study has not been read.</source>
        <translation>La línea de tiempo de este estudio no se ha leído.</translation>
    </message>
    <message>
        <source>The roofline is made from the operations on the timeline.</source>
        <translation>El roofline se hace con las operaciones de la línea de tiempo.</translation>
    </message>
    <message>
        <source>The timeline of this study holds no operation.</source>
        <translation>La línea de tiempo de este estudio no contiene ninguna operación.</translation>
    </message>
    <message>
        <source>Run with tracing on: a roofline needs the time of each operation.</source>
        <translation>Ejecute con el trazado activado: un roofline necesita el tiempo de cada operación.</translation>
    </message>
    <message>
        <source>No operation says both how many bytes it moves and how much it computes.</source>
        <translation>Ninguna operación dice a la vez cuántos bytes mueve y cuánto calcula.</translation>
    </message>
    <message>
        <source>Record the study again with this version.</source>
        <translation>Grabe el estudio de nuevo con esta versión.</translation>
    </message>
    <message>
        <source>Arithmetic intensity (FLOP/byte), log scale</source>
        <translation>Intensidad aritmética (FLOP/byte), escala logarítmica</translation>
    </message>
    <message>
        <source>Rate (FLOP/s), log scale</source>
        <translation>Tasa (FLOP/s), escala logarítmica</translation>
    </message>
    <message>
        <source>hollow marks: as the device counted</source>
        <translation>marcas huecas: según contó el dispositivo</translation>
    </message>
    <message>
        <source>Time of layers</source>
        <translation>Tiempo de las capas</translation>
    </message>
    <message>
        <source>Time by model</source>
        <translation>Tiempo por modelo</translation>
    </message>
    <message>
        <source>Time against parameters</source>
        <translation>Tiempo frente a parámetros</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Pérdida</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Exactitud</translation>
    </message>
    <message>
        <source>Time of training steps</source>
        <translation>Tiempo de los pasos de entrenamiento</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Tasa de aprendizaje</translation>
    </message>
    <message>
        <source>Norm of the gradient</source>
        <translation>Norma del gradiente</translation>
    </message>
    <message>
        <source>Predicted against true</source>
        <translation>Predicho frente a real</translation>
    </message>
    <message>
        <source>median %1, n = %2</source>
        <translation>mediana %1, n = %2</translation>
    </message>
    <message>
        <source>fwd.</source>
        <translation>adel.</translation>
    </message>
    <message>
        <source>bwd.</source>
        <translation>atr.</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>hacia adelante</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>hacia atrás</translation>
    </message>
    <message>
        <source>%1: reorders between layouts take %2 more; they belong to no layer and stand in the table of layers.</source>
        <translation>%1: los cambios de disposición en memoria tardan %2 más; no pertenecen a ninguna capa y están en la tabla de capas.</translation>
    </message>
    <message>
        <source>%1 has no times of layers: %2.</source>
        <translation>%1 no tiene tiempos de capas: %2.</translation>
    </message>
    <message>
        <source>Times of layers are taken from the timeline.</source>
        <translation>Los tiempos de las capas se toman de la línea de tiempo.</translation>
    </message>
    <message>
        <source>The timeline holds no layers of a network.</source>
        <translation>La línea de tiempo no contiene capas de ninguna red.</translation>
    </message>
    <message>
        <source>No layer of the chosen kind was recorded.</source>
        <translation>No se grabó ninguna capa del tipo elegido.</translation>
    </message>
    <message>
        <source>Run a network with tracing on: layers are timed in traced samples.</source>
        <translation>Ejecute una red con el trazado activado: las capas se cronometran en las muestras trazadas.</translation>
    </message>
    <message>
        <source>Choose other layers on the right, or show a target that is hidden.</source>
        <translation>Elija otras capas a la derecha o muestre un objetivo oculto.</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Capa</translation>
    </message>
    <message>
        <source>Time of one pass (ms)</source>
        <translation>Tiempo de una pasada (ms)</translation>
    </message>
    <message>
        <source>Median time of one pass through each layer in traced samples, with 95 % bootstrap intervals: of its kernels on a GPU, of its span on a processor%1.</source>
        <translation>Tiempo mediano de una pasada por cada capa en las muestras trazadas, con intervalos bootstrap del 95 %: el de sus kernels en una GPU, el de su tramo en un procesador%1.</translation>
    </message>
    <message>
        <source>; at %1</source>
        <translation>; en %1</translation>
    </message>
    <message>
        <source>This study computes no network.</source>
        <translation>Este estudio no calcula ninguna red.</translation>
    </message>
    <message>
        <source>Open an example of a network in Build, or build one.</source>
        <translation>Abra en Construir un ejemplo de red o construya una.</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>Modelo %1</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modelo</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 parámetros</translation>
    </message>
    <message>
        <source>%1 parameters, median %2, n = %3</source>
        <translation>%1 parámetros, mediana %2, n = %3</translation>
    </message>
    <message>
        <source>The networks of this study have one number of parameters.</source>
        <translation>Todas las redes de este estudio tienen el mismo número de parámetros.</translation>
    </message>
    <message>
        <source>Add an axis over a layer&apos;s width, or over whole networks.</source>
        <translation>Añada un eje sobre la anchura de una capa o sobre redes completas.</translation>
    </message>
    <message>
        <source>%1, %2 dense layers</source>
        <translation>%1, %2 capas densas</translation>
    </message>
    <message>
        <source>Parameters, log scale</source>
        <translation>Parámetros, escala logarítmica</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parámetros</translation>
    </message>
    <message>
        <source>Loss while training</source>
        <translation>Pérdida durante el entrenamiento</translation>
    </message>
    <message>
        <source>Accuracy while training</source>
        <translation>Exactitud durante el entrenamiento</translation>
    </message>
    <message>
        <source>Time of a step (ms)</source>
        <translation>Tiempo de un paso (ms)</translation>
    </message>
    <message>
        <source>%1 after step %2</source>
        <translation>%1 tras el paso %2</translation>
    </message>
    <message>
        <source>%1 after epoch %2, the best so far</source>
        <translation>%1 tras la época %2, lo mejor hasta ahora</translation>
    </message>
    <message>
        <source>%1 after epoch %2</source>
        <translation>%1 tras la época %2</translation>
    </message>
    <message>
        <source>Each step</source>
        <translation>Cada paso</translation>
    </message>
    <message>
        <source>Training, smoothed</source>
        <translation>Entrenamiento, suavizado</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Entrenamiento</translation>
    </message>
    <message>
        <source>%1, training</source>
        <translation>%1, entrenamiento</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validación</translation>
    </message>
    <message>
        <source>%1, validation</source>
        <translation>%1, validación</translation>
    </message>
    <message>
        <source>No run of this study trains a network on a dataset.</source>
        <translation>Ninguna ejecución de este estudio entrena una red con un conjunto de datos.</translation>
    </message>
    <message>
        <source>Run an experiment with the task &quot;train&quot; and a data set: its curves appear with the first steps.</source>
        <translation>Ejecute un experimento con la tarea «train» y un conjunto de datos: sus curvas aparecen con los primeros pasos.</translation>
    </message>
    <message>
        <source>Training of one run.</source>
        <translation>Entrenamiento de una ejecución.</translation>
    </message>
    <message>
        <source>Training of several runs.</source>
        <translation>Entrenamiento de varias ejecuciones.</translation>
    </message>
    <message>
        <source>Smoothed: exponential moving average of weight %1 with bias correction, m(t) / (1 - w^t).</source>
        <translation>Suavizado: media móvil exponencial de peso %1 con corrección del sesgo, m(t) / (1 - w^t).</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>predicho %1</translation>
    </message>
    <message>
        <source>Predicted against true values of the examples for %1 after epoch %2; on the line both are equal.</source>
        <translation>Valores predichos frente a los reales de los ejemplos de %1 tras la época %2; sobre la línea ambos son iguales.</translation>
    </message>
    <message>
        <source>No run predicts numbers, or none was evaluated yet.</source>
        <translation>Ninguna ejecución predice números o aún no se ha evaluado ninguna.</translation>
    </message>
    <message>
        <source>Networks of regression are evaluated after each epoch.</source>
        <translation>Las redes de regresión se evalúan después de cada época.</translation>
    </message>
    <message>
        <source>predicted = true</source>
        <translation>predicho = real</translation>
    </message>
    <message>
        <source>True value</source>
        <translation>Valor real</translation>
    </message>
    <message>
        <source>Predicted value</source>
        <translation>Valor predicho</translation>
    </message>
    <message>
        <source>The norm of the gradient was not recorded.</source>
        <translation>No se grabó la norma del gradiente.</translation>
    </message>
    <message>
        <source>Ask for it in the experiment&apos;s training section.</source>
        <translation>Pídala en la sección de entrenamiento del experimento.</translation>
    </message>
    <message>
        <source>No step of the training has been told yet.</source>
        <translation>Aún no ha llegado ningún paso del entrenamiento.</translation>
    </message>
    <message>
        <source>The curve appears with the first steps.</source>
        <translation>La curva aparece con los primeros pasos.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Paso</translation>
    </message>
    <message>
        <source>%1: its folder cannot be made: %2; choose another one.</source>
        <translation>%1: no se puede crear su carpeta: %2; elija otra.</translation>
    </message>
    <message>
        <source>UNCLEAR comparisons: %1.</source>
        <translation>Comparaciones INCIERTAS: %1.</translation>
    </message>
    <message>
        <source>Of %1: %2; %3.</source>
        <translation>De %1: %2; %3.</translation>
    </message>
    <message>
        <source>fewer than 5 samples, which give no interval</source>
        <translation>menos de 5 muestras, que no dan un intervalo</translation>
    </message>
    <message>
        <source>No run of this study has a result.</source>
        <translation>Ninguna ejecución de este estudio tiene resultado.</translation>
    </message>
    <message>
        <source>Show a target that is hidden, or open another recording.</source>
        <translation>Muestre un objetivo oculto o abra otra grabación.</translation>
    </message>
    <message>
        <source>The study ended as &quot;%1&quot;.</source>
        <translation>El estudio terminó como «%1».</translation>
    </message>
    <message>
        <source>The study ended as &quot;%1&quot;: no run is missing, but samples of later processes are.</source>
        <translation>El estudio terminó como «%1»: no falta ninguna ejecución, pero sí muestras de los procesos posteriores.</translation>
    </message>
    <message>
        <source>Disturbed samples: %1 of %2. Something else ran on processors that they needed. Wait until the machine is quiet, and run again.</source>
        <translation>Muestras perturbadas: %1 de %2. Otra cosa se ejecutó en procesadores que necesitaban. Espere a que la máquina esté tranquila y vuelva a ejecutar.</translation>
    </message>
    <message>
        <source>repeat in 3 fresh processes (preset standard)</source>
        <translation>repita en 3 procesos nuevos (ajuste standard)</translation>
    </message>
    <message>
        <source>fewer than 3 processes a side, and times of processes differ more than their samples</source>
        <translation>menos de 3 procesos por lado, y los tiempos de los procesos difieren más que sus muestras</translation>
    </message>
    <message>
        <source>over processes the 98 % interval contains 1 or a difference below 2 %</source>
        <translation>entre procesos, el intervalo del 98 % contiene 1 o una diferencia menor del 2 %</translation>
    </message>
    <message>
        <source>a quieter machine or more processes (/sampling/processes) narrow it, more samples of each hardly</source>
        <translation>una máquina más tranquila o más procesos (/sampling/processes) lo estrechan; más muestras de cada uno, apenas</translation>
    </message>
    <message>
        <source>other programs ran while one of the two studies was taken, and not always the same</source>
        <translation>otros programas se ejecutaban mientras se tomaba uno de los dos estudios, y no siempre los mismos</translation>
    </message>
    <message>
        <source>wait until the machine is quiet and repeat, or take both sides into one study</source>
        <translation>espere a que la máquina esté tranquila y repita, o tome ambos lados en un mismo estudio</translation>
    </message>
    <message>
        <source>Of runs in three processes or more the median is the geometric mean of the processes&apos; medians, and intervals are Student&apos;s over the processes.</source>
        <translation>De las ejecuciones en tres procesos o más, la mediana es la media geométrica de las medianas de los procesos, y los intervalos son de Student sobre los procesos.</translation>
    </message>
    <message>
        <source>%1, but UNCLEAR there</source>
        <translation>%1, pero INCIERTO allí</translation>
    </message>
    <message>
        <source>Median time of each network on each target, whiskers are 95 % intervals; dots stand for medians of fewer than 5 samples.</source>
        <translation>Tiempo mediano de cada red en cada objetivo; los bigotes son intervalos del 95 %; los puntos son medianas de menos de 5 muestras.</translation>
    </message>
    <message>
        <source>Median time against the number of parameters, with 95 % intervals; a line for each target and number of dense layers.</source>
        <translation>Tiempo mediano frente al número de parámetros, con intervalos del 95 %; una línea por cada objetivo y número de capas densas.</translation>
    </message>
    <message>
        <source>%1 against threads: ratios of medians with 95 % intervals; the dashed line is Amdahl&apos;s law fitted to the medians. %2.</source>
        <translation>%1 frente a hilos: cocientes de medianas con intervalos del 95 %; la línea discontinua es la ley de Amdahl ajustada a las medianas. %2.</translation>
    </message>
    <message>
        <source>%1: %2; higher is better. Medians with 95 % intervals; quartiles shaded.</source>
        <translation>%1: %2; más es mejor. Medianas con intervalos del 95 %; cuartiles sombreados.</translation>
    </message>
    <message>
        <source>Time of one run against %1: medians with 95 % intervals (bars) and quartiles (shaded).</source>
        <translation>Tiempo de una ejecución frente a %1: medianas con intervalos del 95 % (barras) y cuartiles (sombreado).</translation>
    </message>
    <message>
        <source>Time of one run against the number of windows it extracts: medians with 95 % intervals; quartiles shaded. A straight line of slope one is a fixed cost per window.</source>
        <translation>Tiempo de una ejecución frente al número de ventanas que extrae: medianas con intervalos del 95 %; cuartiles sombreados. Una recta de pendiente uno es un coste fijo por ventana.</translation>
    </message>
    <message>
        <source>Medians of samples taken after a warm-up, targets interleaved; intervals are 95 % intervals of the median, over processes where three or more took the samples, else bootstrap intervals; outliers are marked and never dropped. A speedup is the ratio of medians against the named reference, %1; UNCLEAR means that the samples do not settle which is faster.</source>
        <translation>Medianas de muestras tomadas tras un calentamiento, con los objetivos intercalados; los intervalos son del 95 % de la mediana, sobre los procesos donde tres o más tomaron las muestras, si no intervalos bootstrap; los valores atípicos se marcan y nunca se descartan. Una aceleración es el cociente de medianas frente a la referencia indicada, %1; INCIERTO significa que las muestras no deciden cuál es más rápido.</translation>
    </message>
    <message>
        <source>%1: memory %2 (%3)</source>
        <translation>%1: memoria %2 (%3)</translation>
    </message>
    <message>
        <source>%1: fp32 %2 (%3)</source>
        <translation>%1: fp32 %2 (%3)</translation>
    </message>
    <message>
        <source>%1 has no roofs here: what it does at most was not measured. &quot;heteroscope-cli devices --measure&quot; does that once per machine, and so does Analyze, Roofline of operations, on that machine.</source>
        <translation>%1 no tiene techos aquí: no se midió lo que hace como máximo. &quot;heteroscope-cli devices --measure&quot; lo hace una vez por máquina, y también Analizar, Roofline de las operaciones, en esa máquina.</translation>
    </message>
    <message>
        <source>failed</source>
        <comment>a study</comment>
        <translation>fallido</translation>
    </message>
    <message>
        <source>cancelled</source>
        <comment>a study</comment>
        <translation>cancelado</translation>
    </message>
    <message>
        <source>two studies of one moment each, which alone makes identical work differ by up to a factor of 2</source>
        <translation>dos estudios de un momento cada uno, y solo por eso un mismo trabajo difiere hasta en un factor de 2</translation>
    </message>
    <message>
        <source>take both sides into one study, or run the two in turns, three times or more, and compare the pairs (heteroscope-cli compare A1 B1 A2 B2 A3 B3)</source>
        <translation>incluya ambos lados en un estudio, o ejecute los dos por turnos, tres veces o más, y compare los pares (heteroscope-cli compare A1 B1 A2 B2 A3 B3)</translation>
    </message>
    <message>
        <source>over pairs of studies the 98 % interval contains 1 or a difference below 2 %</source>
        <translation>sobre pares de estudios, el intervalo del 98 % contiene 1 o una diferencia menor del 2 %</translation>
    </message>
    <message>
        <source>%1 has no roofs here: %2.</source>
        <translation>%1 no tiene techos aquí: %2.</translation>
    </message>
    <message>
        <source>more pairs of studies that take turns, or a quieter machine, narrow it</source>
        <translation>más pares de estudios por turnos, o una máquina más tranquila, lo estrechan</translation>
    </message>
    <message>
        <source>Runs whose output differs between A and B: %1. Their times are not of equal work.</source>
        <translation>Ejecuciones cuya salida difiere entre A y B: %1. Sus tiempos no son de un mismo trabajo.</translation>
    </message>
    <message numerus="yes">
        <source>%n runs are neither two nor whole pairs of A and B. Select an even number of runs that alternate: A B A B A B.</source>
        <translation>
            <numerusform>%n ejecución no es ni dos ni pares completos de A y B. Seleccione un número par de ejecuciones que alternen: A B A B A B.</numerusform>
            <numerusform>%n ejecuciones no son ni dos ni pares completos de A y B. Seleccione un número par de ejecuciones que alternen: A B A B A B.</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose two runs in Library, or pairs that took turns, and press Compare.</source>
        <translation>Elija dos ejecuciones en Biblioteca, o pares que se turnaron, y pulse Comparar.</translation>
    </message>
    <message>
        <source>The studies ran on different machines.</source>
        <translation>Los estudios se ejecutaron en máquinas distintas.</translation>
    </message>
    <message>
        <source>B (%1) against A (%2): ratio of medians A/B (of several processes their geometric mean) with 95 % intervals; above 1 B is faster, hollow marks are UNCLEAR.</source>
        <translation>B (%1) frente a A (%2): cociente de medianas A/B (con varios procesos, su media geométrica) con intervalos del 95 %; por encima de 1 B es más rápido, las marcas huecas son INCIERTAS.</translation>
    </message>
    <message>
        <source>Pairs of studies %1: geometric mean of A/B over the pairs with 95 % intervals; above 1 B is faster, hollow marks are UNCLEAR. Verdicts look at the 98 % interval.</source>
        <translation>Pares de estudios %1: media geométrica de A/B sobre los pares con intervalos del 95 %; por encima de 1 B es más rápido, las marcas huecas son INCIERTAS. Los veredictos miran el intervalo del 98 %.</translation>
    </message>
    <message>
        <source>The studies did not take turns.</source>
        <translation>Los estudios no se turnaron.</translation>
    </message>
    <message>
        <source>Comparison of pairs of studies</source>
        <translation>Comparación de pares de estudios</translation>
    </message>
    <message>
        <source>Every target is hidden.</source>
        <translation>Todos los objetivos están ocultos.</translation>
    </message>
    <message>
        <source>Hidden targets are left out.</source>
        <translation>Los objetivos ocultos quedan fuera.</translation>
    </message>
    <message>
        <source>other programs ran meanwhile, and the 98 % interval contains a difference below a tenth</source>
        <translation>otros programas se ejecutaban entretanto, y el intervalo del 98 % contiene una diferencia menor que una décima parte</translation>
    </message>
    <message>
        <source>wait until the machine is quiet and repeat</source>
        <translation>espere a que la máquina esté tranquila y repita</translation>
    </message>
    <message numerus="yes">
        <source>All %n studies</source>
        <translation>
            <numerusform>%n estudio</numerusform>
            <numerusform>Los %n estudios</numerusform>
        </translation>
    </message>
    <message>
        <source>yes</source>
        <translation>sí</translation>
    </message>
    <message>
        <source>no</source>
        <translation>no</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>no se sabe</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ninguno</translation>
    </message>
    <message>
        <source>Preset standard takes about %1 at most, beside waiting for a quiet machine.</source>
        <translation>El ajuste standard tarda como mucho unos %1, además de la espera hasta que la máquina esté tranquila.</translation>
    </message>
    <message>
        <source>Preset standard takes about %1 at most.</source>
        <translation>El ajuste standard tarda como mucho unos %1.</translation>
    </message>
    <message>
        <source>As many as %1 processes (sampling, processes) would settle %2 of them, if all are like those that there are, in about %3.</source>
        <translation>%1 procesos (muestreo, procesos) decidirían %2 de ellas, si todos son como los que hay, en unos %3.</translation>
    </message>
    <message>
        <source>Of %1, not even %2 processes would.</source>
        <translation>De %1, ni siquiera %2 procesos lo harían.</translation>
    </message>
</context>
<context>
    <name>ClassName</name>
    <message>
        <source>disc</source>
        <translation>disco</translation>
    </message>
    <message>
        <source>square</source>
        <translation>cuadrado</translation>
    </message>
    <message>
        <source>triangle</source>
        <translation>triángulo</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>anillo</translation>
    </message>
    <message>
        <source>cross</source>
        <translation>cruz</translation>
    </message>
    <message>
        <source>bar</source>
        <translation>barra</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>marco</translation>
    </message>
    <message>
        <source>half disc</source>
        <translation>medio disco</translation>
    </message>
    <message>
        <source>two discs</source>
        <translation>dos discos</translation>
    </message>
    <message>
        <source>star</source>
        <translation>estrella</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>normal</translation>
    </message>
    <message>
        <source>bright spot</source>
        <translation>mancha clara</translation>
    </message>
    <message>
        <source>wide ventricles</source>
        <translation>ventrículos anchos</translation>
    </message>
</context>
<context>
    <name>FigureText</name>
    <message>
        <source>run</source>
        <translation>ejecución</translation>
    </message>
    <message>
        <source>number of the run: from 0 on, in the table of runs from 1 on</source>
        <translation>número de la ejecución: desde 0, en la tabla de ejecuciones desde 1</translation>
    </message>
    <message>
        <source>target</source>
        <translation>objetivo</translation>
    </message>
    <message>
        <source>device, implementation and options</source>
        <translation>dispositivo, implementación y opciones</translation>
    </message>
    <message>
        <source>status</source>
        <translation>estado</translation>
    </message>
    <message>
        <source>ok, failed, skipped, cancelled, planned or unfinished</source>
        <translation>correcta, fallida, omitida, cancelada, prevista o sin terminar</translation>
    </message>
    <message>
        <source>median</source>
        <translation>mediana</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>intervalo del 95 %</translation>
    </message>
    <message>
        <source>speedup</source>
        <translation>aceleración</translation>
    </message>
    <message>
        <source>median of the reference at the same point</source>
        <translation>mediana de la referencia en el mismo punto</translation>
    </message>
    <message>
        <source>median of the run</source>
        <translation>mediana de la ejecución</translation>
    </message>
    <message>
        <source>95 % interval of the speedup: Student&apos;s over three processes or more, whose speedup is the geometric mean of theirs, else by bootstrapping both sides, none of these from fewer than 5 samples</source>
        <translation>intervalo del 95 % de la aceleración: de Student sobre tres procesos o más, cuya aceleración es la media geométrica de las suyas, si no con bootstrap de ambos lados, y en ese caso ninguno con menos de 5 muestras</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>veredicto</translation>
    </message>
    <message>
        <source>whether the run is FASTER or SLOWER than the reference, the SAME, or UNCLEAR; the reference&apos;s own says reference; rules: page Statistics</source>
        <translation>si la ejecución es MÁS RÁPIDA o MÁS LENTA que la referencia, IGUAL o INCIERTA; la de la propia referencia dice referencia; reglas: página Statistics</translation>
    </message>
    <message>
        <source>equal work</source>
        <translation>mismo trabajo</translation>
    </message>
    <message>
        <source>whether the output equals that of cpu/sequential: equal, within a power of ten, differs, not checked</source>
        <translation>si la salida es la de cpu/sequential: igual, dentro de una potencia de diez, distinta, sin comprobar</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>samples that count</source>
        <translation>muestras que cuentan</translation>
    </message>
    <message>
        <source>outliers</source>
        <translation>atípicos</translation>
    </message>
    <message>
        <source>samples beyond 1.5 interquartile ranges from the quartiles; kept</source>
        <translation>muestras a más de 1.5 rangos intercuartílicos de los cuartiles; se conservan</translation>
    </message>
    <message>
        <source>min</source>
        <translation>mín.</translation>
    </message>
    <message>
        <source>smallest time of a repetition</source>
        <translation>menor tiempo de una repetición</translation>
    </message>
    <message>
        <source>Q1</source>
        <translation>Q1</translation>
    </message>
    <message>
        <source>first quartile of the times of a repetition</source>
        <translation>primer cuartil de los tiempos de una repetición</translation>
    </message>
    <message>
        <source>Q3</source>
        <translation>Q3</translation>
    </message>
    <message>
        <source>third quartile of the times of a repetition</source>
        <translation>tercer cuartil de los tiempos de una repetición</translation>
    </message>
    <message>
        <source>max</source>
        <translation>máx.</translation>
    </message>
    <message>
        <source>largest time of a repetition</source>
        <translation>mayor tiempo de una repetición</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>media</translation>
    </message>
    <message>
        <source>arithmetic mean of the times of a repetition</source>
        <translation>media aritmética de los tiempos de una repetición</translation>
    </message>
    <message>
        <source>std. dev.</source>
        <translation>desv. típica</translation>
    </message>
    <message>
        <source>standard deviation of the times of a repetition, with n - 1</source>
        <translation>desviación típica de los tiempos de una repetición, con n - 1</translation>
    </message>
    <message>
        <source>first use</source>
        <translation>primer uso</translation>
    </message>
    <message>
        <source>opening the device, preparing and the first execution</source>
        <translation>apertura del dispositivo, preparación y primera ejecución</translation>
    </message>
    <message>
        <source>stopped by</source>
        <translation>detenido por</translation>
    </message>
    <message>
        <source>rule that ended the sampling</source>
        <translation>regla que terminó el muestreo</translation>
    </message>
    <message>
        <source>what ran</source>
        <translation>qué se ejecutó</translation>
    </message>
    <message>
        <source>kernel or algorithm that computed it</source>
        <translation>kernel o algoritmo que lo calculó</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>motivo</translation>
    </message>
    <message>
        <source>why a run has no result, or a list has no entry</source>
        <translation>por qué una ejecución no tiene resultado o una lista no tiene entradas</translation>
    </message>
    <message>
        <source>median of A</source>
        <translation>mediana de A</translation>
    </message>
    <message>
        <source>median of B</source>
        <translation>mediana de B</translation>
    </message>
    <message>
        <source>note</source>
        <translation>nota</translation>
    </message>
    <message>
        <source>what keeps two runs from being compared, or their verdict unclear</source>
        <translation>qué impide comparar dos ejecuciones o deja su veredicto incierto</translation>
    </message>
    <message>
        <source>wall time</source>
        <translation>tiempo real</translation>
    </message>
    <message>
        <source>wall time of the traced samples: in results of one repetition, in statistics of all together</source>
        <translation>tiempo real de las muestras trazadas: en los resultados, de una repetición; en las estadísticas, de todas juntas</translation>
    </message>
    <message>
        <source>execute</source>
        <translation>ejecución</translation>
    </message>
    <message>
        <source>part of the wall time in which a kernel runs on the device</source>
        <translation>parte del tiempo real en que se ejecuta un kernel en el dispositivo</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>copia</translation>
    </message>
    <message>
        <source>part of the wall time in which a copy or memory set runs on the device, and no kernel</source>
        <translation>parte del tiempo real en que en el dispositivo hay una copia o un relleno de memoria y ningún kernel</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>lanzamiento</translation>
    </message>
    <message>
        <source>part of the wall time in which the device is idle and the host is in a call that gives it work: a kernel, a copy or a memory set</source>
        <translation>parte del tiempo real en que el dispositivo está inactivo y el anfitrión está en una llamada que le da trabajo: un kernel, una copia o un relleno de memoria</translation>
    </message>
    <message>
        <source>of it for copies</source>
        <translation>de ello para copias</translation>
    </message>
    <message>
        <source>part of launch in which the call is one for a copy or memory set</source>
        <translation>parte del lanzamiento en que la llamada es de una copia o de un relleno de memoria</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>cola</translation>
    </message>
    <message>
        <source>part of the wall time in which the device is idle and work that was given to it has not started</source>
        <translation>parte del tiempo real en que el dispositivo está inactivo y el trabajo que se le dio no ha empezado</translation>
    </message>
    <message>
        <source>synchronise</source>
        <translation>sincronización</translation>
    </message>
    <message>
        <source>part of the wall time in which the device is idle and the host waits for it</source>
        <translation>parte del tiempo real en que el dispositivo está inactivo y el anfitrión lo espera</translation>
    </message>
    <message>
        <source>other</source>
        <translation>otro</translation>
    </message>
    <message>
        <source>part of the wall time in which the device is idle and the host does something else</source>
        <translation>parte del tiempo real en que el dispositivo está inactivo y el anfitrión hace otra cosa</translation>
    </message>
    <message>
        <source>direction</source>
        <translation>dirección</translation>
    </message>
    <message>
        <source>from where to where, as host to device</source>
        <translation>de dónde a dónde, como del anfitrión al dispositivo</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>memoria anfitrión</translation>
    </message>
    <message>
        <source>pageable, pinned or managed; empty without host memory</source>
        <translation>paginable, fijada o gestionada; vacío sin memoria anfitrión</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>copias</translation>
    </message>
    <message>
        <source>copies that touch what is looked at</source>
        <translation>copias que tocan lo que se mira</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>bytes</translation>
    </message>
    <message>
        <source>bytes of these copies, of those that cross an edge in proportion</source>
        <translation>bytes de estas copias; de las que cruzan un borde, en proporción</translation>
    </message>
    <message>
        <source>mean size</source>
        <translation>tamaño medio</translation>
    </message>
    <message>
        <source>time</source>
        <translation>tiempo</translation>
    </message>
    <message>
        <source>time in which such a copy ran; copies that run at the same time count once</source>
        <translation>tiempo en que hubo una copia así; las simultáneas cuentan una vez</translation>
    </message>
    <message>
        <source>of wall time</source>
        <translation>del tiempo real</translation>
    </message>
    <message>
        <source>time in which such a copy ran</source>
        <translation>tiempo en que hubo una copia así</translation>
    </message>
    <message>
        <source>wall time of what is looked at: of a run that of its traced samples</source>
        <translation>tiempo real de lo que se mira: de una ejecución, el de sus muestras trazadas</translation>
    </message>
    <message>
        <source>under kernels</source>
        <translation>bajo kernels</translation>
    </message>
    <message>
        <source>time in which such a copy and a kernel ran</source>
        <translation>tiempo en que hubo una copia así y un kernel</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>tasa</translation>
    </message>
    <message>
        <source>link&apos;s peak</source>
        <translation>máximo del enlace</translation>
    </message>
    <message>
        <source>best rate of one copy of at least 1 MiB in that direction, the recorder&apos;s own included</source>
        <translation>mejor tasa de una copia de al menos 1 MiB en esa dirección, incluidas las del propio registro</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>operación</translation>
    </message>
    <message>
        <source>operation that the copies were made for</source>
        <translation>operación para la que se hicieron las copias</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>fase</translation>
    </message>
    <message>
        <source>what of the operation they were made for, as operands or copy in</source>
        <translation>para qué de la operación se hicieron, como operandos o copia de entrada</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>rendimiento</translation>
    </message>
    <message>
        <source>bytes that have to move at least: inputs read once, outputs written once</source>
        <translation>bytes que se han de mover como mínimo: entradas leídas una vez, salidas escritas una vez</translation>
    </message>
    <message>
        <source>operations that the definition asks for; a multiplication and an addition are two, a comparison is one</source>
        <translation>operaciones que pide la definición; una multiplicación y una suma son dos, una comparación es una</translation>
    </message>
    <message>
        <source>efficiency</source>
        <translation>eficiencia</translation>
    </message>
    <message>
        <source>speedup over one thread</source>
        <translation>aceleración sobre un hilo</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>hilos</translation>
    </message>
    <message>
        <source>median of the times of a repetition; of three processes or more the geometric mean of their medians</source>
        <translation>mediana de los tiempos de una repetición; con tres procesos o más, la media geométrica de sus medianas</translation>
    </message>
    <message>
        <source>95 % interval of the median: Student&apos;s over three processes or more, else a percentile bootstrap, none of these from fewer than 5 samples</source>
        <translation>intervalo del 95 % de la mediana: de Student sobre tres procesos o más, si no bootstrap de percentiles, y en ese caso ninguno con menos de 5 muestras</translation>
    </message>
    <message>
        <source>median of the run in study A, of pairs of studies the geometric mean</source>
        <translation>mediana de la ejecución en el estudio A, de pares de estudios la media geométrica</translation>
    </message>
    <message>
        <source>median of the run in study B, of pairs of studies the geometric mean</source>
        <translation>mediana de la ejecución en el estudio B, de pares de estudios la media geométrica</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>capa</translation>
    </message>
    <message>
        <source>name of the layer, or of the operation outside of layers</source>
        <translation>nombre de la capa, o de la operación fuera de las capas</translation>
    </message>
    <message>
        <source>type</source>
        <translation>tipo</translation>
    </message>
    <message>
        <source>what the layer&apos;s first operation computes</source>
        <translation>lo que calcula la primera operación de la capa</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>hacia adelante</translation>
    </message>
    <message>
        <source>median of a layer, forward</source>
        <translation>mediana de una capa, hacia adelante</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>hacia atrás</translation>
    </message>
    <message>
        <source>median of a layer, backward</source>
        <translation>mediana de una capa, hacia atrás</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>calentamiento</translation>
    </message>
    <message>
        <source>what came before a run&apos;s samples, in each process until none of three repetitions in a row was faster than those before by 5 % and the clock of its GPU agreed within 1 %, or the time limit of the warm-up; null: not told</source>
        <translation>lo que precedió a las muestras de una ejecución, en cada proceso hasta que ninguna de tres repeticiones seguidas fue un 5 % más rápida que las anteriores y el reloj de su GPU coincidió en un 1 %, o hasta el límite de tiempo del calentamiento; null: no indicado</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>grabado</translation>
    </message>
    <message>
        <source>wall time of the traced samples that are no warm-ups, of all repetitions</source>
        <translation>tiempo real de las muestras con traza que no son calentamiento, de todas las repeticiones</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>operaciones</translation>
    </message>
    <message>
        <source>part of it in which an operation or a reorder is computed</source>
        <translation>parte de él en la que se calcula una operación o una reordenación</translation>
    </message>
    <message>
        <source>part of it in which a copy runs outside of operations</source>
        <translation>parte de él en la que hay una copia fuera de las operaciones</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>resto</translation>
    </message>
    <message>
        <source>part of it without a span: between operations, and what recording takes there</source>
        <translation>parte de él sin intervalo: entre operaciones, y lo que la grabación tarda ahí</translation>
    </message>
    <message>
        <source>untraced</source>
        <translation>sin traza</translation>
    </message>
    <message>
        <source>median of the run, of its untraced samples</source>
        <translation>mediana de la ejecución, de sus muestras sin traza</translation>
    </message>
    <message>
        <source>98 % interval</source>
        <translation>intervalo del 98 %</translation>
    </message>
    <message>
        <source>98 % interval of A / B, which FASTER and SLOWER have to exclude 1 from; null where the verdict is not of three processes or pairs</source>
        <translation>intervalo del 98 % de A / B, del que MÁS RÁPIDO y MÁS LENTO tienen que excluir el 1; nulo donde el veredicto no es de tres procesos o pares</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>pares</translation>
    </message>
    <message>
        <source>pairs of studies whose ratios the verdict is of</source>
        <translation>pares de estudios de cuyos cocientes es el veredicto</translation>
    </message>
    <message>
        <source>n of A</source>
        <translation>n de A</translation>
    </message>
    <message>
        <source>samples that count in study A, of pairs of studies in all of A</source>
        <translation>muestras que cuentan en el estudio A, con pares de estudios en todos los de A</translation>
    </message>
    <message>
        <source>n of B</source>
        <translation>n de B</translation>
    </message>
    <message>
        <source>samples that count in study B, of pairs of studies in all of B</source>
        <translation>muestras que cuentan en el estudio B, con pares de estudios en todos los de B</translation>
    </message>
</context>
<context>
    <name>Form</name>
    <message>
        <source>. Allowed: %1</source>
        <translation>. Permitido: %1</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automático</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>Máximo</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>Promedio</translation>
    </message>
    <message>
        <source>Minus infinity (never wins)</source>
        <translation>Menos infinito (nunca gana)</translation>
    </message>
    <message>
        <source>Zero</source>
        <translation>Cero</translation>
    </message>
    <message>
        <source>Whole image at once</source>
        <translation>Imagen completa de una vez</translation>
    </message>
    <message>
        <source>Window by window (slow on purpose)</source>
        <translation>Ventana por ventana (lenta a propósito)</translation>
    </message>
    <message>
        <source>Red, green, blue</source>
        <translation>Rojo, verde, azul</translation>
    </message>
    <message>
        <source>Random matrix</source>
        <translation>Matriz aleatoria</translation>
    </message>
    <message>
        <source>Identity matrix</source>
        <translation>Matriz identidad</translation>
    </message>
    <message>
        <source>allowed: %1</source>
        <translation>permitido: %1</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Entrenar</translation>
    </message>
    <message>
        <source>Infer (forward only)</source>
        <translation>Inferir (solo hacia adelante)</translation>
    </message>
    <message>
        <source>Stochastic gradient descent</source>
        <translation>Descenso de gradiente estocástico</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>He, normal</source>
        <translation>He, normal</translation>
    </message>
    <message>
        <source>He, uniform</source>
        <translation>He, uniforme</translation>
    </message>
    <message>
        <source>Xavier, normal</source>
        <translation>Xavier, normal</translation>
    </message>
    <message>
        <source>Xavier, uniform</source>
        <translation>Xavier, uniforme</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Constante</translation>
    </message>
    <message>
        <source>Classes (cross-entropy)</source>
        <translation>Clases (entropía cruzada)</translation>
    </message>
    <message>
        <source>Yes or no (cross-entropy)</source>
        <translation>Sí o no (entropía cruzada)</translation>
    </message>
    <message>
        <source>Numbers (squared error)</source>
        <translation>Números (error cuadrático)</translation>
    </message>
    <message>
        <source>Guarded</source>
        <translation>Con comprobación de límites</translation>
    </message>
    <message>
        <source>Loops</source>
        <translation>Con bucles</translation>
    </message>
    <message>
        <source>Tiled</source>
        <translation>Por teselas</translation>
    </message>
    <message>
        <source>Transferred</source>
        <translation>Transferido</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Aleatoria</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Escrita</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Imagen</translation>
    </message>
    <message>
        <source>Npy</source>
        <translation>NumPy</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>Gris</translation>
    </message>
    <message>
        <source>Synthetic</source>
        <translation>Sintéticos</translation>
    </message>
    <message>
        <source>Idx</source>
        <translation>IDX</translation>
    </message>
    <message>
        <source>Cifar10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>Cifar100</source>
        <translation>CIFAR-100</translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation>Carpeta de imágenes</translation>
    </message>
    <message>
        <source>Csv</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Figuras</translation>
    </message>
    <message>
        <source>Brain slices</source>
        <translation>Cortes cerebrales</translation>
    </message>
    <message>
        <source>Irradiance maps</source>
        <translation>Mapas de irradiancia</translation>
    </message>
    <message>
        <source>Irradiance table</source>
        <translation>Tabla de irradiancia</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Por escalones</translation>
    </message>
    <message>
        <source>Exponential</source>
        <translation>Exponencial</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Coseno</translation>
    </message>
    <message>
        <source>One cycle</source>
        <translation>Un ciclo</translation>
    </message>
    <message>
        <source>Plateau</source>
        <translation>Meseta</translation>
    </message>
    <message>
        <source>Comma</source>
        <translation>Coma</translation>
    </message>
    <message>
        <source>Semicolon</source>
        <translation>Punto y coma</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tabulador</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Espacio</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Clases</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Números</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Por el final</translation>
    </message>
    <message>
        <source>Shuffled</source>
        <translation>Mezclados</translation>
    </message>
    <message>
        <source>Quick (5 samples, first look)</source>
        <translation>Rápido (5 muestras, primer vistazo)</translation>
    </message>
    <message>
        <source>Standard (3 processes, median to 1 %)</source>
        <translation>Estándar (3 procesos, mediana al 1 %)</translation>
    </message>
    <message>
        <source>Thesis (3 processes, 30 samples)</source>
        <translation>Tesis (3 procesos, 30 muestras)</translation>
    </message>
    <message>
        <source>Warm</source>
        <translation>Conservar</translation>
    </message>
    <message>
        <source>Flush</source>
        <translation>Vaciar</translation>
    </message>
</context>
<context>
    <name>Layer</name>
    <message>
        <source>%1 filters</source>
        <translation>%1 filtros</translation>
    </message>
    <message>
        <source>%1 units</source>
        <translation>%1 unidades</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>a %1</translation>
    </message>
    <message>
        <source>%1 groups</source>
        <translation>%1 grupos</translation>
    </message>
    <message>
        <source>no bias</source>
        <translation>sin sesgo</translation>
    </message>
    <message>
        <source>1 layer</source>
        <translation>1 capa</translation>
    </message>
    <message>
        <source>%n layers</source>
        <translation>%n capas</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>Convolución</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>Pooling</translation>
    </message>
    <message>
        <source>Dense</source>
        <translation>Densa</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Activación</translation>
    </message>
    <message>
        <source>Structure</source>
        <translation>Estructura</translation>
    </message>
    <message>
        <source>Regularisation</source>
        <translation>Regularización</translation>
    </message>
    <message>
        <source>Max pooling</source>
        <translation>Pooling máximo</translation>
    </message>
    <message>
        <source>Average pooling</source>
        <translation>Pooling medio</translation>
    </message>
    <message>
        <source>Average pooling to a size</source>
        <translation>Pooling medio a un tamaño</translation>
    </message>
    <message>
        <source>Global average pooling</source>
        <translation>Pooling medio global</translation>
    </message>
    <message>
        <source>ReLU</source>
        <translation>ReLU</translation>
    </message>
    <message>
        <source>ReLU6</source>
        <translation>ReLU6</translation>
    </message>
    <message>
        <source>Leaky ReLU</source>
        <translation>ReLU con fuga</translation>
    </message>
    <message>
        <source>Sigmoid</source>
        <translation>Sigmoide</translation>
    </message>
    <message>
        <source>Tanh</source>
        <translation>Tanh</translation>
    </message>
    <message>
        <source>Softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>Batch normalisation</source>
        <translation>Normalización por lotes</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Flatten</source>
        <translation>Aplanar</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Sumar</translation>
    </message>
    <message>
        <source>Concatenate</source>
        <translation>Concatenar</translation>
    </message>
    <message>
        <source>Every output is a weighted sum of a window of the input, over all channels of its group.</source>
        <translation>Cada salida es una suma ponderada de una ventana de la entrada, sobre todos los canales de su grupo.</translation>
    </message>
    <message>
        <source>Each window becomes its average.</source>
        <translation>Cada ventana se convierte en su media.</translation>
    </message>
    <message>
        <source>Averages windows that are chosen so that the output has the given size.</source>
        <translation>Promedia ventanas elegidas para que la salida tenga el tamaño dado.</translation>
    </message>
    <message>
        <source>Every output is a weighted sum of all inputs. An image is read as one row of numbers.</source>
        <translation>Cada salida es una suma ponderada de todas las entradas. Una imagen se lee como una fila de números.</translation>
    </message>
    <message>
        <source>Gives each channel mean 0 and variance 1 over the batch, then a learned scale and shift.</source>
        <translation>Da a cada canal media 0 y varianza 1 sobre el lote, y después una escala y un desplazamiento aprendidos.</translation>
    </message>
    <message>
        <source>Each window becomes its largest element.</source>
        <translation>Cada ventana se convierte en su elemento mayor.</translation>
    </message>
    <message>
        <source>Each channel becomes its average.</source>
        <translation>Cada canal se convierte en su media.</translation>
    </message>
    <message>
        <source>max(x, 0)</source>
        <translation>máx(x, 0)</translation>
    </message>
    <message>
        <source>min(max(x, 0), 6)</source>
        <translation>mín(máx(x, 0), 6)</translation>
    </message>
    <message>
        <source>x above zero, slope times x below.</source>
        <translation>x por encima de cero, pendiente por x por debajo.</translation>
    </message>
    <message>
        <source>1 / (1 + exp(-x))</source>
        <translation>1 / (1 + exp(-x))</translation>
    </message>
    <message>
        <source>The hyperbolic tangent.</source>
        <translation>La tangente hiperbólica.</translation>
    </message>
    <message>
        <source>Shares of the channels that add up to one. The loss softmax_cross_entropy has its own.</source>
        <translation>Partes de los canales que suman uno. La pérdida softmax_cross_entropy tiene el suyo propio.</translation>
    </message>
    <message>
        <source>While training, sets a share of the elements to zero and scales the others up.</source>
        <translation>Durante el entrenamiento pone a cero una parte de los elementos y aumenta los demás.</translation>
    </message>
    <message>
        <source>Reads each image as one row of numbers; nothing is copied.</source>
        <translation>Lee cada imagen como una fila de números; no se copia nada.</translation>
    </message>
    <message>
        <source>Adds its inputs, which have one shape: a residual connection.</source>
        <translation>Suma sus entradas, que tienen la misma forma: una conexión residual.</translation>
    </message>
    <message>
        <source>Puts the channels of its inputs, which have one height and width, one after the other.</source>
        <translation>Pone los canales de sus entradas, que tienen el mismo alto y ancho, uno tras otro.</translation>
    </message>
    <message>
        <source>GELU</source>
        <translation>GELU</translation>
    </message>
    <message>
        <source>Hard swish</source>
        <translation>Swish dura</translation>
    </message>
    <message>
        <source>Hard sigmoid</source>
        <translation>Sigmoide dura</translation>
    </message>
    <message>
        <source>x times the share of a normal distribution below x</source>
        <translation>x por la parte de una distribución normal que queda por debajo de x</translation>
    </message>
    <message>
        <source>x min(max(x + 3, 0), 6) / 6</source>
        <translation>x mín(máx(x + 3, 0), 6) / 6</translation>
    </message>
    <message>
        <source>min(max(x / 6 + 1/2, 0), 1)</source>
        <translation>mín(máx(x / 6 + 1/2, 0), 1)</translation>
    </message>
    <message>
        <source>Layer normalisation</source>
        <translation>Normalización por capas</translation>
    </message>
    <message>
        <source>Multiply</source>
        <translation>Multiplicar</translation>
    </message>
    <message>
        <source>Gives each sample mean 0 and variance 1, whatever the batch, then a learned scale and shift.</source>
        <translation>Da a cada muestra media 0 y varianza 1, sea cual sea el lote, y después una escala y un desplazamiento aprendidos.</translation>
    </message>
    <message>
        <source>Multiplies its two inputs element by element; one that has a single channel, row or column is repeated along it. Squeeze and excitation scales channels so.</source>
        <translation>Multiplica sus dos entradas elemento a elemento; la que tiene un solo canal, fila o columna se repite a lo largo de él. Así escala los canales la técnica «squeeze and excitation».</translation>
    </message>
</context>
<context>
    <name>NetworkFix</name>
    <message>
        <source>Set %1 to %2</source>
        <translation>Poner %1 a %2</translation>
    </message>
    <message>
        <source>Rename to %1</source>
        <translation>Cambiar el nombre a %1</translation>
    </message>
    <message>
        <source>Read %1</source>
        <translation>Leer %1</translation>
    </message>
</context>
<context>
    <name>Parameter</name>
    <message>
        <source>Padding</source>
        <translation>Relleno</translation>
    </message>
    <message>
        <source>Rows and columns added around the input: one number for all sides, [height, width], or [top, bottom, left, right]. It must be smaller than the kernel.</source>
        <translation>Filas y columnas añadidas alrededor de la entrada: un número para todos los lados, [alto, ancho] o [arriba, abajo, izquierda, derecha]. Debe ser menor que el núcleo.</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>Pooling</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modo</translation>
    </message>
    <message>
        <source>What each window becomes: its largest element or its average.</source>
        <translation>En qué se convierte cada ventana: su elemento mayor o su promedio.</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Núcleo</translation>
    </message>
    <message>
        <source>Size of the window: one number, or [height, width].</source>
        <translation>Tamaño de la ventana: un número o [alto, ancho].</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>Paso</translation>
    </message>
    <message>
        <source>Step from one window to the next: one number, or [height, width].</source>
        <translation>Avance de una ventana a la siguiente: un número o [alto, ancho].</translation>
    </message>
    <message>
        <source>Padding counts as</source>
        <translation>El relleno vale</translation>
    </message>
    <message>
        <source>Minus infinity lets padding never win a maximum, as neural networks do; zero is the method of some studies.</source>
        <translation>Con menos infinito el relleno nunca gana un máximo, como en las redes neuronales; cero es el método de algunos estudios.</translation>
    </message>
    <message>
        <source>Average over padding</source>
        <translation>Promediar el relleno</translation>
    </message>
    <message>
        <source>Divide by the whole kernel area (true) or only by the elements inside the input (false).</source>
        <translation>Dividir entre toda el área del núcleo (sí) o solo entre los elementos dentro de la entrada (no).</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Estrategia</translation>
    </message>
    <message>
        <source>image: the whole input is pooled at once. window: every window is copied to the device, multiplied there with an identity filter and copied back; slow on purpose, it shows what transfers cost.</source>
        <translation>image: toda la entrada se procesa a la vez. window: cada ventana se copia al dispositivo, se multiplica allí por un filtro identidad y se copia de vuelta; lenta a propósito, muestra lo que cuestan las transferencias.</translation>
    </message>
    <message>
        <source>Backward pass</source>
        <translation>Paso hacia atrás</translation>
    </message>
    <message>
        <source>Also compute the gradient of the input, as training a network needs it.</source>
        <translation>Calcular también el gradiente de la entrada, como lo necesita el entrenamiento de una red.</translation>
    </message>
    <message>
        <source>Window strategy</source>
        <translation>Estrategia por ventanas</translation>
    </message>
    <message>
        <source>Product kernel</source>
        <translation>Kernel del producto</translation>
    </message>
    <message>
        <source>How a CUDA device multiplies each window; a processor has one way and ignores it.</source>
        <translation>Cómo multiplica cada ventana un dispositivo CUDA; un procesador tiene una sola manera y no lo tiene en cuenta.</translation>
    </message>
    <message>
        <source>Identity filter</source>
        <translation>Filtro identidad</translation>
    </message>
    <message>
        <source>transferred: copied with every window; constant: copied once, one copy less per window.</source>
        <translation>transferred: se copia con cada ventana; constant: se copia una vez, una copia menos por ventana.</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>Matriz</translation>
    </message>
    <message>
        <source>The input typed in: a list of rows, each a list of numbers, all of one length.</source>
        <translation>La entrada escrita: una lista de filas, cada una una lista de números, todas de la misma longitud.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>Image (PNG, JPEG, BMP, PGM, PPM) or .npy file; relative to the experiment file.</source>
        <translation>Imagen (PNG, JPEG, BMP, PGM, PPM) o archivo .npy; relativo al archivo del experimento.</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Color</translation>
    </message>
    <message>
        <source>Read an image as one grey channel or as three: red, green, blue.</source>
        <translation>Leer una imagen como un canal gris o como tres: rojo, verde y azul.</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Origen</translation>
    </message>
    <message>
        <source>Seeded random integers, a typed matrix, an image file or a NumPy file.</source>
        <translation>Enteros aleatorios con semilla, una matriz escrita, un archivo de imagen o un archivo de NumPy.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Tamaño</translation>
    </message>
    <message>
        <source>Height and width of the input: one number, or [height, width].</source>
        <translation>Alto y ancho de la entrada: un número o [alto, ancho].</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Canales</translation>
    </message>
    <message>
        <source>Planes of each image; each is pooled on its own.</source>
        <translation>Planos de cada imagen; cada uno se procesa por separado.</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Lote</translation>
    </message>
    <message>
        <source>Images pooled together.</source>
        <translation>Imágenes que se procesan juntas.</translation>
    </message>
    <message>
        <source>Smallest value</source>
        <translation>Valor mínimo</translation>
    </message>
    <message>
        <source>Smallest random integer.</source>
        <translation>El menor entero aleatorio.</translation>
    </message>
    <message>
        <source>Largest value</source>
        <translation>Valor máximo</translation>
    </message>
    <message>
        <source>Largest random integer, itself included.</source>
        <translation>El mayor entero aleatorio, incluido.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semilla</translation>
    </message>
    <message>
        <source>The same seed gives the same numbers as numpy.random.seed(seed) and numpy.random.randint(low, high + 1). It also seeds the weights of the backward pass.</source>
        <translation>La misma semilla da los mismos números que numpy.random.seed(semilla) y numpy.random.randint(mín, máx + 1). También es la semilla de los pesos del paso hacia atrás.</translation>
    </message>
    <message>
        <source>Matrix multiplication</source>
        <translation>Multiplicación de matrices</translation>
    </message>
    <message>
        <source>Rows of A (m)</source>
        <translation>Filas de A (m)</translation>
    </message>
    <message>
        <source>Rows of the left matrix and of the result.</source>
        <translation>Filas de la matriz izquierda y del resultado.</translation>
    </message>
    <message>
        <source>Columns of B (n)</source>
        <translation>Columnas de B (n)</translation>
    </message>
    <message>
        <source>Columns of the right matrix and of the result.</source>
        <translation>Columnas de la matriz derecha y del resultado.</translation>
    </message>
    <message>
        <source>Inner size (k)</source>
        <translation>Tamaño interior (k)</translation>
    </message>
    <message>
        <source>Columns of the left matrix, which are the rows of the right one.</source>
        <translation>Columnas de la matriz izquierda, que son las filas de la derecha.</translation>
    </message>
    <message>
        <source>Right matrix</source>
        <translation>Matriz derecha</translation>
    </message>
    <message>
        <source>Random numbers, or the identity matrix, with which the result must equal the left matrix.</source>
        <translation>Números aleatorios o la matriz identidad, con la que el resultado debe ser igual a la matriz izquierda.</translation>
    </message>
    <message>
        <source>Seed of the random integers from 0 to 9 in both matrices.</source>
        <translation>Semilla de los enteros aleatorios de 0 a 9 en ambas matrices.</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Muestras</translation>
    </message>
    <message>
        <source>Timed samples of each run; left out, the preset decides when there are enough.</source>
        <translation>Muestras cronometradas de cada ejecución; si se omite, el ajuste decide cuándo bastan.</translation>
    </message>
    <message>
        <source>Time limit per run</source>
        <translation>Límite de tiempo</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Ajuste</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Muestreo</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filtros</translation>
    </message>
    <message>
        <source>Output channels.</source>
        <translation>Canales de salida.</translation>
    </message>
    <message>
        <source>Step from one window to the next.</source>
        <translation>Distancia de una ventana a la siguiente.</translation>
    </message>
    <message>
        <source>Zeros around the input: one number, [height, width], or [top, bottom, left, right].</source>
        <translation>Ceros alrededor de la entrada: un número, [alto, ancho] o [arriba, abajo, izquierda, derecha].</translation>
    </message>
    <message>
        <source>Dilation</source>
        <translation>Dilatación</translation>
    </message>
    <message>
        <source>Distance between the elements of a window.</source>
        <translation>Distancia entre los elementos de una ventana.</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Grupos</translation>
    </message>
    <message>
        <source>Channels and filters are split into so many groups that do not see each other; as many as channels is a depthwise convolution.</source>
        <translation>Canales y filtros se reparten en tantos grupos que no se ven entre sí; tantos como canales es una convolución por canal.</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>Sesgo</translation>
    </message>
    <message>
        <source>Add a learned number to each filter.</source>
        <translation>Suma un número aprendido a cada filtro.</translation>
    </message>
    <message>
        <source>Step from one window to the next; left out, the kernel.</source>
        <translation>Distancia de una ventana a la siguiente; si falta, el núcleo.</translation>
    </message>
    <message>
        <source>Rows and columns around the input, fewer than the kernel has.</source>
        <translation>Filas y columnas alrededor de la entrada, menos de las que tiene el núcleo.</translation>
    </message>
    <message>
        <source>Round up</source>
        <translation>Redondear hacia arriba</translation>
    </message>
    <message>
        <source>Round the output size up: a last window may reach over the edge.</source>
        <translation>Redondea hacia arriba el tamaño de la salida: una última ventana puede pasar del borde.</translation>
    </message>
    <message>
        <source>Output size</source>
        <translation>Tamaño de la salida</translation>
    </message>
    <message>
        <source>One number, or [height, width].</source>
        <translation>Un número o [alto, ancho].</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>Unidades</translation>
    </message>
    <message>
        <source>Outputs.</source>
        <translation>Salidas.</translation>
    </message>
    <message>
        <source>Add a learned number to each unit.</source>
        <translation>Suma un número aprendido a cada unidad.</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Épsilon</translation>
    </message>
    <message>
        <source>Added to the variance before the root.</source>
        <translation>Se suma a la varianza antes de la raíz.</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momento</translation>
    </message>
    <message>
        <source>Share of a new batch in the running statistics.</source>
        <translation>Parte de un lote nuevo en las estadísticas acumuladas.</translation>
    </message>
    <message>
        <source>Slope</source>
        <translation>Pendiente</translation>
    </message>
    <message>
        <source>Below zero.</source>
        <translation>Por debajo de cero.</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Tasa</translation>
    </message>
    <message>
        <source>Share that is dropped.</source>
        <translation>Parte que se anula.</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Tarea</translation>
    </message>
    <message>
        <source>train: forward, loss, backward and update of the weights. infer: forward only.</source>
        <translation>train: hacia adelante, pérdida, hacia atrás y actualización de los pesos. infer: solo hacia adelante.</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Capas</translation>
    </message>
    <message>
        <source>The layers in order, each after the ones that it reads; the last one is the output.</source>
        <translation>Las capas en orden, cada una tras las que lee; la última es la salida.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
    <message>
        <source>Input shape</source>
        <translation>Forma de la entrada</translation>
    </message>
    <message>
        <source>Of one image: [channels, height, width], or [features] for a row of numbers.</source>
        <translation>De una imagen: [canales, alto, ancho], o [características] para una fila de números.</translation>
    </message>
    <message>
        <source>Images of one inference.</source>
        <translation>Imágenes de una inferencia.</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Entrenamiento</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Pérdida</translation>
    </message>
    <message>
        <source>softmax_cross_entropy: classes, from the outputs before a softmax. binary_cross_entropy: yes or no, from the outputs before a sigmoid. mean_squared_error: numbers.</source>
        <translation>softmax_cross_entropy: clases, a partir de las salidas antes de un softmax. binary_cross_entropy: sí o no, a partir de las salidas antes de una sigmoide. mean_squared_error: números.</translation>
    </message>
    <message>
        <source>Images of one step; the gradient is their mean.</source>
        <translation>Imágenes de un paso; el gradiente es su media.</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Épocas</translation>
    </message>
    <message>
        <source>How often all training images are seen.</source>
        <translation>Cuántas veces se ven todas las imágenes de entrenamiento.</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>Paciencia</translation>
    </message>
    <message>
        <source>Epochs without a better validation loss after which the training ends early; 0: never.</source>
        <translation>Épocas sin una pérdida de validación mejor tras las que el entrenamiento termina antes; 0: nunca.</translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation>Pesos iniciales</translation>
    </message>
    <message>
        <source>He: for layers followed by ReLU. Xavier: for sigmoid and tanh.</source>
        <translation>He: para capas seguidas de ReLU. Xavier: para sigmoide y tanh.</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Constante</translation>
    </message>
    <message>
        <source>The value of every weight.</source>
        <translation>El valor de cada peso.</translation>
    </message>
    <message>
        <source>Of the weights, the dropout and the order of the images.</source>
        <translation>De los pesos, del dropout y del orden de las imágenes.</translation>
    </message>
    <message>
        <source>Optimiser</source>
        <translation>Optimizador</translation>
    </message>
    <message>
        <source>Stochastic gradient descent, or Adam.</source>
        <translation>Descenso de gradiente estocástico o Adam.</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Tasa de aprendizaje</translation>
    </message>
    <message>
        <source>Size of a step against the gradient.</source>
        <translation>Tamaño de un paso contra el gradiente.</translation>
    </message>
    <message>
        <source>Share of the last step that is taken again.</source>
        <translation>Parte del último paso que se vuelve a dar.</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>Look ahead along the momentum.</source>
        <translation>Mirar hacia adelante según el momento.</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Decaimiento de pesos</translation>
    </message>
    <message>
        <source>Pulls the weights towards zero.</source>
        <translation>Atrae los pesos hacia cero.</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Decay of the mean gradient.</source>
        <translation>Decaimiento del gradiente medio.</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Decay of the mean squared gradient.</source>
        <translation>Decaimiento del gradiente cuadrático medio.</translation>
    </message>
    <message>
        <source>Added to the root of the squared gradient.</source>
        <translation>Se suma a la raíz del gradiente al cuadrado.</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Datos</translation>
    </message>
    <message>
        <source>Training images</source>
        <translation>Imágenes de entrenamiento</translation>
    </message>
    <message>
        <source>Training labels</source>
        <translation>Etiquetas de entrenamiento</translation>
    </message>
    <message>
        <source>Test images</source>
        <translation>Imágenes de prueba</translation>
    </message>
    <message>
        <source>Test labels</source>
        <translation>Etiquetas de prueba</translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation>Parte de validación</translation>
    </message>
    <message>
        <source>Share of the training images, from their end, that is kept apart to watch the training.</source>
        <translation>Parte de las imágenes de entrenamiento, desde el final, que se aparta para vigilar el entrenamiento.</translation>
    </message>
    <message>
        <source>Training images used</source>
        <translation>Imágenes de entrenamiento usadas</translation>
    </message>
    <message>
        <source>The first so many; 0 for all.</source>
        <translation>Las primeras tantas; 0 para todas.</translation>
    </message>
    <message>
        <source>Test images used</source>
        <translation>Imágenes de prueba usadas</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Media</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>Desviación</translation>
    </message>
    <message>
        <source>synthetic: one made-up batch from the seed, for timing steps. idx: files of the MNIST family. cifar10, cifar100: their binary files. image_folder: one folder a class. csv: a table. npy: NumPy arrays. shapes, brain_slices, irradiance_maps, irradiance_table: examples drawn from the seed.</source>
        <translation>synthetic: un lote inventado a partir de la semilla, para cronometrar pasos. idx: archivos de la familia MNIST. cifar10, cifar100: sus archivos binarios. image_folder: una carpeta por clase. csv: una tabla. npy: matrices de NumPy. shapes, brain_slices, irradiance_maps, irradiance_table: ejemplos generados a partir de la semilla.</translation>
    </message>
    <message>
        <source>IDX file, may be compressed with gzip; or .npy array, examples first, or &quot;file.npz:name&quot;. Relative to the experiment file.</source>
        <translation>Archivo IDX, puede estar comprimido con gzip; o matriz .npy con los ejemplos en la primera dimensión, o «archivo.npz:nombre». Relativo al archivo del experimento.</translation>
    </message>
    <message>
        <source>IDX file with one byte an image; or .npy array with a number or row an example.</source>
        <translation>Archivo IDX con un byte por imagen; o matriz .npy con un número o una fila por ejemplo.</translation>
    </message>
    <message>
        <source>Never trained on; a share of the others when empty.</source>
        <translation>Nunca se entrena con ellas; si falta, una parte de las otras.</translation>
    </message>
    <message>
        <source>As the training labels, for the test images.</source>
        <translation>Como las etiquetas de entrenamiento, para las imágenes de prueba.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Carpeta</translation>
    </message>
    <message>
        <source>CIFAR: data_batch_1.bin and so on, or train.bin. image_folder: one folder a class, in order of their names, with PNG, JPEG, BMP or PGM files.</source>
        <translation>CIFAR: data_batch_1.bin, etc., o train.bin. image_folder: una carpeta por clase, en el orden de sus nombres, con archivos PNG, JPEG, BMP o PGM.</translation>
    </message>
    <message>
        <source>Test folder</source>
        <translation>Carpeta de prueba</translation>
    </message>
    <message>
        <source>The same classes; a share of the others when empty.</source>
        <translation>Las mismas clases; si falta, una parte de las otras imágenes.</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabla</translation>
    </message>
    <message>
        <source>Text with one example a line; relative to the experiment file.</source>
        <translation>Texto con un ejemplo por línea; relativo al archivo del experimento.</translation>
    </message>
    <message>
        <source>Test table</source>
        <translation>Tabla de prueba</translation>
    </message>
    <message>
        <source>The same columns; a share of the others when empty.</source>
        <translation>Las mismas columnas; si falta, una parte de los otros ejemplos.</translation>
    </message>
    <message>
        <source>Separator</source>
        <translation>Separador</translation>
    </message>
    <message>
        <source>What stands between the cells of a line.</source>
        <translation>Lo que separa las celdas de una línea.</translation>
    </message>
    <message>
        <source>Header line</source>
        <translation>Línea de cabecera</translation>
    </message>
    <message>
        <source>The first line names the columns.</source>
        <translation>La primera línea da nombre a las columnas.</translation>
    </message>
    <message>
        <source>Feature columns</source>
        <translation>Columnas de características</translation>
    </message>
    <message>
        <source>Names or numbers from 1, with commas; 2-5 is a range. Empty: all but the target.</source>
        <translation>Nombres o números desde 1, separados por comas; 2-5 es un intervalo. Vacío: todas menos la columna objetivo.</translation>
    </message>
    <message>
        <source>Target column</source>
        <translation>Columna objetivo</translation>
    </message>
    <message>
        <source>Name or number from 1. Empty: the last column.</source>
        <translation>Nombre o número desde 1. Vacío: la última columna.</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Valores objetivo</translation>
    </message>
    <message>
        <source>classes: each different value is a class. numbers: a regression.</source>
        <translation>classes: cada valor distinto es una clase. numbers: una regresión.</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Ejemplos</translation>
    </message>
    <message>
        <source>How many are drawn to train and validate with.</source>
        <translation>Cuántos se generan para entrenar y validar.</translation>
    </message>
    <message>
        <source>Test examples</source>
        <translation>Ejemplos de prueba</translation>
    </message>
    <message>
        <source>How many more are drawn to test with.</source>
        <translation>Cuántos más se generan para probar.</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Clases</translation>
    </message>
    <message>
        <source>How many different shapes there are.</source>
        <translation>Cuántas figuras distintas hay.</translation>
    </message>
    <message>
        <source>Seed of the data</source>
        <translation>Semilla de los datos</translation>
    </message>
    <message>
        <source>Of drawn examples and of a shuffled split.</source>
        <translation>De los ejemplos generados y del reparto mezclado.</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Reparto</translation>
    </message>
    <message>
        <source>end: validation and test examples are the last ones of the files, as a forecast needs it. shuffled: drawn from the seed. Folders of images are always shuffled.</source>
        <translation>end: los ejemplos de validación y de prueba son los últimos de los archivos, como lo necesita un pronóstico. shuffled: se sortean con la semilla. Las carpetas de imágenes siempre se mezclan.</translation>
    </message>
    <message>
        <source>Test share</source>
        <translation>Parte de prueba</translation>
    </message>
    <message>
        <source>Share of the training images that is kept to test with when no test files are given.</source>
        <translation>Parte de las imágenes de entrenamiento que se reserva para probar cuando no se dan archivos de prueba.</translation>
    </message>
    <message>
        <source>The first so many; 0 for all. Validation takes its share of them.</source>
        <translation>Las primeras tantas; 0 para todas. La validación toma su parte de ellas.</translation>
    </message>
    <message>
        <source>Taken off all values. Pixels of files lie between 0 and 1 before, numbers are as given.</source>
        <translation>Se resta de todos los valores. Antes, los píxeles de los archivos están entre 0 y 1; los números, tal como se dan.</translation>
    </message>
    <message>
        <source>What all values are divided by after that.</source>
        <translation>Aquello entre lo que se dividen después todos los valores.</translation>
    </message>
    <message>
        <source>Transforms</source>
        <translation>Transformaciones</translation>
    </message>
    <message>
        <source>What happens to each image, in this order. Random ones change training images in every epoch anew and leave validation and test images alone.</source>
        <translation>Lo que se hace con cada imagen, en este orden. Las aleatorias cambian de nuevo las imágenes de entrenamiento en cada época y no tocan las de validación ni las de prueba.</translation>
    </message>
    <message>
        <source>Of the new image: one number, or [height, width].</source>
        <translation>De la imagen nueva: un número o [alto, ancho].</translation>
    </message>
    <message>
        <source>Of each channel; left out, that of the training images.</source>
        <translation>De cada canal; si se omite, la de las imágenes de entrenamiento.</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Probabilidad</translation>
    </message>
    <message>
        <source>Share of the images that are flipped.</source>
        <translation>Parte de las imágenes que se voltean.</translation>
    </message>
    <message>
        <source>Largest angle</source>
        <translation>Ángulo máximo</translation>
    </message>
    <message>
        <source>Angles are drawn from minus this to this.</source>
        <translation>Los ángulos se sortean entre menos este valor y este valor.</translation>
    </message>
    <message>
        <source>Rows and columns of zeros on each side.</source>
        <translation>Filas y columnas de ceros en cada lado.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Pesos</translation>
    </message>
    <message>
        <source>File whose tensors are the first weights, by name: .npz or .onnx, relative to the experiment file. What it does not hold is drawn from the seed.</source>
        <translation>Archivo cuyos tensores son los primeros pesos, por nombre: .npz u .onnx, relativo al archivo del experimento. Lo que no contiene se sortea con la semilla.</translation>
    </message>
    <message>
        <source>Find the learning rate</source>
        <translation>Buscar la tasa de aprendizaje</translation>
    </message>
    <message>
        <source>Instead of a training: 100 steps with rates that grow from 1e-7 to 10, and the rate at which the loss falls most steeply.</source>
        <translation>En lugar de un entrenamiento: 100 pasos con tasas que crecen de 1e-7 a 10, y la tasa con la que la pérdida baja más deprisa.</translation>
    </message>
    <message>
        <source>Norm of the gradient</source>
        <translation>Norma del gradiente</translation>
    </message>
    <message>
        <source>Tell the L2 norm of the gradient of all parameters at each step, before weight decay; it takes one more operation.</source>
        <translation>Indica en cada paso la norma L2 del gradiente de todos los parámetros, antes del decaimiento de pesos; requiere una operación más.</translation>
    </message>
    <message>
        <source>Learning-rate schedule</source>
        <translation>Planificación de la tasa de aprendizaje</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Planificación</translation>
    </message>
    <message>
        <source>How the learning rate changes from step to step; the optimiser&apos;s is the one it begins with, and with one_cycle the largest.</source>
        <translation>Cómo cambia la tasa de aprendizaje de un paso a otro; la del optimizador es la inicial y, con one_cycle, la mayor.</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Factor</translation>
    </message>
    <message>
        <source>What the rate is multiplied by.</source>
        <translation>Aquello por lo que se multiplica la tasa.</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>Cada</translation>
    </message>
    <message>
        <source>Epochs between two changes.</source>
        <translation>Épocas entre dos cambios.</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Calentamiento</translation>
    </message>
    <message>
        <source>Steps in which the rate rises from zero.</source>
        <translation>Pasos en los que la tasa sube desde cero.</translation>
    </message>
    <message>
        <source>Lowest rate</source>
        <translation>Tasa mínima</translation>
    </message>
    <message>
        <source>The rate does not fall below it.</source>
        <translation>La tasa no baja de ella.</translation>
    </message>
    <message>
        <source>Rising share</source>
        <translation>Parte de subida</translation>
    </message>
    <message>
        <source>Share of all steps in which the rate rises.</source>
        <translation>Parte de todos los pasos en la que sube la tasa.</translation>
    </message>
    <message>
        <source>Epochs without a better validation loss that are waited before the rate falls.</source>
        <translation>Épocas sin una pérdida de validación mejor que se esperan antes de bajar la tasa.</translation>
    </message>
    <message>
        <source>Over</source>
        <translation>Sobre</translation>
    </message>
    <message>
        <source>sample: all channels and pixels of a sample together, each with its own scale and shift. channels: the channels of each pixel, as ConvNeXt does; scale and shift are those of channels.</source>
        <translation>sample: todos los canales y píxeles de una muestra juntos, cada uno con su propia escala y su desplazamiento. channels: los canales de cada píxel, como hace ConvNeXt; la escala y el desplazamiento son por canal.</translation>
    </message>
    <message>
        <source>Sampling of a run ends after this time even when its interval is still wide. Fresh processes share it. Left out: 10 s at quick, 6 s at standard, none at thesis.</source>
        <translation>El muestreo de una ejecución termina tras este tiempo aunque su intervalo siga siendo ancho. Los procesos nuevos se lo reparten. Si se omite: 10 s con quick, 6 s con standard, ninguno con thesis.</translation>
    </message>
    <message>
        <source>quick: 5 samples in one process. standard: at least 15 in 3 fresh processes, until the 95 % interval of the median is narrower than 1 % or the time limit is reached. thesis: 30 in 3 fresh processes.</source>
        <translation>quick: 5 muestras en un proceso. standard: al menos 15 en 3 procesos nuevos, hasta que el intervalo del 95 % de la mediana sea menor del 1 % o se alcance el límite de tiempo. thesis: 30 en 3 procesos nuevos.</translation>
    </message>
    <message>
        <source>Fresh processes</source>
        <translation>Procesos nuevos</translation>
    </message>
    <message>
        <source>Processes that take the samples, one after the other; left out, the preset decides. With fewer than 3 only runs whose medians differ by a quarter are told to be FASTER or SLOWER, and more than 3 find smaller differences. They share samples and time limit; a training on a dataset is trained anew in each.</source>
        <translation>Procesos que toman las muestras, uno tras otro; si se omite, decide el ajuste. Con menos de 3 solo se dan por FASTER o SLOWER las ejecuciones cuyas medianas difieren en un cuarto, y con más de 3 se encuentran diferencias menores. Se reparten las muestras y el límite de tiempo; un entrenamiento con un conjunto de datos se entrena de nuevo en cada uno.</translation>
    </message>
    <message>
        <source>Time limit of the warm-up</source>
        <translation>Límite de tiempo del calentamiento</translation>
    </message>
    <message>
        <source>Each process warms a run up until none of three repetitions in a row is faster than those before by 5 %, at an equal clock of the GPU (within 1 %), or until this time. 0: no longer than it takes to find how many repetitions fill a sample. Left out: 1 s.</source>
        <translation>Cada proceso calienta una ejecución hasta que ninguna de tres repeticiones seguidas es un 5 % más rápida que las anteriores, con el mismo reloj de la GPU (en un 1 %), o hasta este tiempo. 0: no más de lo que cuesta averiguar cuántas repeticiones llenan una muestra. Sin él: 1 s.</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>Cachés</translation>
    </message>
    <message>
        <source>warm: repetitions follow one another and find in the caches what the one before left there. flush: before each sample, and outside of its time, a buffer larger than the caches (L2 of a GPU, all of a processor) is written; a sample is then one repetition.</source>
        <translation>warm: las repeticiones se suceden y encuentran en las cachés lo que dejó la anterior. flush: antes de cada muestra, y fuera de su tiempo, se escribe un búfer mayor que las cachés (L2 de una GPU, todas las de un procesador); una muestra es entonces una repetición.</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>elementos</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>épocas</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>pasos</translation>
    </message>
    <message>
        <source>degrees</source>
        <translation>grados</translation>
    </message>
    <message>
        <source>Wait for a quiet machine</source>
        <translation>Esperar a que la máquina esté tranquila</translation>
    </message>
    <message>
        <source>After a sample or a warm-up that was disturbed a run waits until other programs have left the processors alone for a second, and is warmed up again. At most so many seconds in all, of each run in each process. 0: it does not wait.</source>
        <translation>Después de una muestra o un calentamiento perturbados, una ejecución espera a que otros programas dejen libres los procesadores durante un segundo, y se vuelve a calentar. Como máximo tantos segundos en total, de cada ejecución en cada proceso. 0: no espera.</translation>
    </message>
</context>
<context>
    <name>Phrase</name>
    <message>
        <source>not told</source>
        <translation>no indicado</translation>
    </message>
    <message>
        <source>%1 to %2 MHz</source>
        <translation>de %1 a %2 MHz</translation>
    </message>
    <message>
        <source>%1 (they changed: look at the samples&apos; clocks in the CSV)</source>
        <translation>%1 (cambiaron: vea los relojes de las muestras en el CSV)</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>memoria %1</translation>
    </message>
    <message>
        <source>held back in %1 of %2 samples (%3)</source>
        <translation>frenados en %1 de %2 muestras (%3)</translation>
    </message>
    <message>
        <source>still called idle in %1 of %2 samples</source>
        <translation>aún dados por inactivos en %1 de %2 muestras</translation>
    </message>
    <message>
        <source>GPU clocks after each sample: %1</source>
        <translation>relojes de la GPU después de cada muestra: %1</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1: %2 de %3</translation>
    </message>
    <message>
        <source>%1; and %2 more runs</source>
        <translation>%1; y %2 ejecuciones más</translation>
    </message>
    <message>
        <source>disturbed samples: none of %1</source>
        <translation>muestras perturbadas: ninguna de %1</translation>
    </message>
    <message>
        <source>disturbed samples: %1 of %2 (%3): something else ran on processors that they needed</source>
        <translation>muestras perturbadas: %1 de %2 (%3): otra cosa se ejecutó en los procesadores que necesitaban</translation>
    </message>
    <message>
        <source>other programs took %1 % of a processor</source>
        <translation>otros programas ocuparon el %1 % de un procesador</translation>
    </message>
    <message>
        <source>the hypervisor took %1 % of a processor</source>
        <translation>el hipervisor ocupó el %1 % de un procesador</translation>
    </message>
    <message>
        <source>of %1 it is not known whether their threads waited for others</source>
        <translation>de %1 no se sabe si sus hilos esperaron a otros</translation>
    </message>
    <message>
        <source>repeat when the machine is quiet: /sampling/quiet_wait_s waits for it</source>
        <translation>repita cuando la máquina esté tranquila: /sampling/quiet_wait_s espera a que lo esté</translation>
    </message>
    <message>
        <source>clock: frequency not readable</source>
        <translation>reloj: la frecuencia no se puede leer</translation>
    </message>
    <message>
        <source>clock: %1 to %2 MHz</source>
        <translation>reloj: de %1 a %2 MHz</translation>
    </message>
    <message>
        <source>a calibration loop after each sample took %1 to %2</source>
        <translation>un bucle de calibración después de cada muestra tardó de %1 a %2</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation> con %1</translation>
    </message>
    <message>
        <source>95 % interval %1 to %2</source>
        <translation>intervalo del 95&#xa0;%: de %1 a %2</translation>
    </message>
    <message>
        <source>%1 looks %2 faster than %3%4, but %5 samples are too few for an interval (n &lt; 5)</source>
        <translation>%1 parece %2 más rápido que %3%4, pero %5 muestras son muy pocas para un intervalo (n &lt; 5)</translation>
    </message>
    <message>
        <source>%1 and %2 are equally fast%3 (%4 and %5)</source>
        <translation>%1 y %2 son igual de rápidos%3 (%4 y %5)</translation>
    </message>
    <message>
        <source>%1 is %2 faster than %3%4 (%5)</source>
        <translation>%1 es %2 más rápido que %3%4 (%5)</translation>
    </message>
    <message>
        <source>it is unclear whether %1 is faster than %2%3 (%4, %5)</source>
        <translation>no está claro si %1 es más rápido que %2%3 (%4, %5)</translation>
    </message>
    <message>
        <source>; which is faster changes near %1, not clearly</source>
        <translation>; cuál es más rápido cambia cerca de %1, no con claridad</translation>
    </message>
    <message>
        <source>; up to %1 %2 is faster</source>
        <translation>; hasta %1 %2 es más rápido</translation>
    </message>
    <message>
        <source>; just below, at %1 %2 is faster</source>
        <translation>; justo debajo, con %1 %2 es más rápido</translation>
    </message>
    <message>
        <source> %1 of %2 runs have no complete result (%3: %4).</source>
        <translation> %1 de %2 ejecuciones no tienen un resultado completo (%3: %4).</translation>
    </message>
    <message>
        <source>1 sample, no interval: n &lt; 5</source>
        <translation>1 muestra, sin intervalo: n &lt; 5</translation>
    </message>
    <message>
        <source>%1 samples, no interval: n &lt; 5</source>
        <translation>%1 muestras, sin intervalo: n &lt; 5</translation>
    </message>
    <message>
        <source>%1 takes %2%3 (%4)</source>
        <translation>%1 tarda %2%3 (%4)</translation>
    </message>
    <message>
        <source>the reference %1 has no result to compare with</source>
        <translation>la referencia %1 no tiene resultado con el que comparar</translation>
    </message>
    <message>
        <source>a second target would give a comparison</source>
        <translation>un segundo objetivo daría una comparación</translation>
    </message>
    <message>
        <source> The training of %1 had ended before it was resumed%2: nothing was left to train.</source>
        <translation> El entrenamiento de %1 había terminado antes de reanudarse%2: no quedaba nada por entrenar.</translation>
    </message>
    <message>
        <source>No run has a result.</source>
        <translation>Ninguna ejecución tiene resultado.</translation>
    </message>
    <message>
        <source>No run has a result yet.</source>
        <translation>Ninguna ejecución tiene resultado todavía.</translation>
    </message>
    <message>
        <source>; but the outputs differ: not equal work</source>
        <translation>; pero las salidas difieren: no es el mismo trabajo</translation>
    </message>
    <message>
        <source>So far: %1.</source>
        <translation>Hasta ahora: %1.</translation>
    </message>
    <message>
        <source>The two studies share no run that can be compared.</source>
        <translation>Los dos estudios no comparten ninguna ejecución que se pueda comparar.</translation>
    </message>
    <message>
        <source>B against A, of %1 runs: %2 faster, %3 slower, %4 the same, %5 unclear</source>
        <translation>B frente a A, de %1 ejecuciones: %2 más rápidas, %3 más lentas, %4 iguales, %5 inciertas</translation>
    </message>
    <message>
        <source>; largest change: %1%2 is %3 faster (%4).</source>
        <translation>; mayor cambio: %1%2 es %3 más rápido (%4).</translation>
    </message>
    <message>
        <source>; largest change: %1%2 is %3 slower (%4).</source>
        <translation>; mayor cambio: %1%2 es %3 más lento (%4).</translation>
    </message>
    <message>
        <source>, the largest of %1 points</source>
        <translation>, el mayor de %1 puntos</translation>
    </message>
    <message>
        <source>, the first of %1 points</source>
        <translation>, el primero de %1 puntos</translation>
    </message>
    <message>
        <source>%1, %2 cores</source>
        <translation>%1, %2 núcleos</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 a %2</translation>
    </message>
    <message>
        <source> in %1 processes (geometric mean of their medians, Student&apos;s 95 % interval over processes)</source>
        <translation> en %1 procesos (media geométrica de sus medianas, intervalo del 95 % de Student sobre los procesos)</translation>
    </message>
    <message>
        <source>, of some runs in %1 processes (geometric mean of their medians, Student&apos;s 95 % interval over processes)</source>
        <translation>, de algunas ejecuciones en %1 procesos (media geométrica de sus medianas, intervalo del 95 % de Student sobre los procesos)</translation>
    </message>
    <message>
        <source>No samples</source>
        <translation>Sin muestras</translation>
    </message>
    <message>
        <source> (no interval: n &lt; 5)</source>
        <translation> (sin intervalo: n &lt; 5)</translation>
    </message>
    <message>
        <source> (95 % interval from 5 samples or 3 processes on)</source>
        <translation> (intervalo del 95 % desde 5 muestras o 3 procesos)</translation>
    </message>
    <message>
        <source> (95 % interval)</source>
        <translation> (intervalo del 95 %)</translation>
    </message>
    <message>
        <source>Median of 1 sample</source>
        <translation>Mediana de 1 muestra</translation>
    </message>
    <message>
        <source>Median of %1 samples</source>
        <translation>Mediana de %1 muestras</translation>
    </message>
    <message>
        <source>reference %1</source>
        <translation>referencia %1</translation>
    </message>
    <message>
        <source>load average %1</source>
        <translation>carga media %1</translation>
    </message>
    <message>
        <source>load average %1 on %2 cores</source>
        <translation>carga media %1 en %2 núcleos</translation>
    </message>
    <message>
        <source>tracing overhead: not measured; times are from untraced samples</source>
        <translation>coste de la traza: no medido; los tiempos son de muestras sin traza</translation>
    </message>
    <message>
        <source>tracing overhead: %1 in one run; times are from untraced samples</source>
        <translation>coste de la traza: %1 en una ejecución; los tiempos son de muestras sin traza</translation>
    </message>
    <message>
        <source>tracing overhead: median %1, %2 to %3 over %4 runs (most: %5); times are from untraced samples</source>
        <translation>coste de la traza: mediana %1, de %2 a %3 en %4 ejecuciones (el mayor: %5); los tiempos son de muestras sin traza</translation>
    </message>
    <message>
        <source>governor %1</source>
        <translation>regulador %1</translation>
    </message>
    <message>
        <source>frequency governor unknown</source>
        <translation>regulador de frecuencia desconocido</translation>
    </message>
    <message>
        <source>%1 build</source>
        <translation>compilación %1</translation>
    </message>
    <message>
        <source>machine: %1</source>
        <translation>máquina: %1</translation>
    </message>
    <message>
        <source>sampling ended before its rule: %1</source>
        <translation>el muestreo terminó antes de su regla: %1</translation>
    </message>
    <message>
        <source>%1 %2 for %3</source>
        <translation>%1 %2 por %3</translation>
    </message>
    <message>
        <source>repetitions from a CUDA graph, without their launches; launched one by one: %1</source>
        <translation>repeticiones de un grafo CUDA, sin sus lanzamientos; lanzadas una a una: %1</translation>
    </message>
    <message>
        <source>%1, and %2 more (launched_ms in the JSON results)</source>
        <translation>%1, y %2 más (launched_ms en los resultados JSON)</translation>
    </message>
    <message>
        <source>steps were timed one by one and do not add up to a repetition: %1</source>
        <translation>los pasos se midieron uno a uno y no suman una repetición: %1</translation>
    </message>
    <message>
        <source>%1, and %2 more (..._ms in the metrics of the JSON results)</source>
        <translation>%1, y %2 más (..._ms en las métricas de los resultados JSON)</translation>
    </message>
    <message>
        <source>%1 (%2, %3 to %4)</source>
        <translation>%1 (%2, de %3 a %4)</translation>
    </message>
    <message>
        <source>a team on all %1 processors waits whenever something else runs: %2; try threads=%3</source>
        <translation>un equipo en los %1 procesadores espera siempre que se ejecuta otra cosa: %2; pruebe threads=%3</translation>
    </message>
    <message>
        <source>stable</source>
        <translation>estable</translation>
    </message>
    <message>
        <source>not stable</source>
        <translation>no estable</translation>
    </message>
    <message>
        <source>stable in %1 of %2 processes</source>
        <translation>estable en %1 de %2 procesos</translation>
    </message>
    <message>
        <source>1 repetition in %1</source>
        <translation>1 repetición en %1</translation>
    </message>
    <message>
        <source>%1 repetitions in %2</source>
        <translation>%1 repeticiones en %2</translation>
    </message>
    <message>
        <source>SM clock %1 MHz</source>
        <translation>reloj de los SM %1 MHz</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>warmed up until no repetition of %1 in a row was faster by %2, the GPU&apos;s clock within %3: %4 a process</source>
        <translation>calentado hasta que ninguna de %1 repeticiones seguidas fue un %2 más rápida, con el reloj de la GPU en un %3: %4 por proceso</translation>
    </message>
    <message>
        <source>warmed up until no repetition of %1 in a row was faster by %2: %3 a process</source>
        <translation>calentado hasta que ninguna de %1 repeticiones seguidas fue un %2 más rápida: %3 por proceso</translation>
    </message>
    <message>
        <source>not stable at its time limit: %1</source>
        <translation>no estable en su límite de tiempo: %1</translation>
    </message>
    <message>
        <source>warmed up until stable</source>
        <translation>calentado hasta ser estable</translation>
    </message>
    <message>
        <source>%1 of %2 runs not stable after their warm-up</source>
        <translation>%1 de %2 ejecuciones no estables después de su calentamiento</translation>
    </message>
    <message>
        <source>caches flushed before each sample</source>
        <translation>cachés vaciadas antes de cada muestra</translation>
    </message>
    <message>
        <source>caches kept</source>
        <translation>cachés conservadas</translation>
    </message>
    <message>
        <source>%1 written on %2</source>
        <translation>%1 escritos en %2</translation>
    </message>
    <message>
        <source>caches are flushed before each sample, which is one repetition</source>
        <translation>las cachés se vacían antes de cada muestra, que es una repetición</translation>
    </message>
    <message>
        <source>%1, and %2 more</source>
        <translation>%1, y %2 más</translation>
    </message>
    <message>
        <source>process %1 of %2: %3</source>
        <translation>proceso %1 de %2: %3</translation>
    </message>
    <message>
        <source>process %1 of %2</source>
        <translation>proceso %1 de %2</translation>
    </message>
    <message>
        <source>%1; after this study</source>
        <translation>%1; después de este estudio</translation>
    </message>
    <message>
        <source>measured: %1 threads on three arrays of %2 beside a cache of %3, best of %4; the faster of reading, %5, and a triad, %6</source>
        <translation>medida: %1 hilos con tres vectores de %2 junto a una caché de %3, la mejor de %4; la más rápida entre lectura, %5, y tríada, %6</translation>
    </message>
    <message>
        <source>measured: 1 thread on three arrays of %1 beside a cache of %2, best of %3; the faster of reading, %4, and a triad, %5</source>
        <translation>medida: 1 hilo con tres vectores de %1 junto a una caché de %2, la mejor de %3; la más rápida entre lectura, %4, y tríada, %5</translation>
    </message>
    <message>
        <source>measured: fused multiply-adds in registers (%1), %2 threads, best of %3</source>
        <translation>medida: multiplicaciones y sumas fusionadas en registros (%1), %2 hilos, la mejor de %3</translation>
    </message>
    <message>
        <source>measured: fused multiply-adds in registers (%1), 1 thread, best of %2</source>
        <translation>medida: multiplicaciones y sumas fusionadas en registros (%1), 1 hilo, la mejor de %2</translation>
    </message>
    <message>
        <source>This is a debug build: timings are not those of a release build.</source>
        <translation>Es una compilación de depuración: los tiempos no son los de una de producción.</translation>
    </message>
    <message>
        <source>The processor&apos;s frequency governor is &quot;%1&quot;: timings may vary with its clock.</source>
        <translation>El regulador de frecuencia del procesador es «%1»: los tiempos pueden variar con su reloj.</translation>
    </message>
    <message>
        <source>Other programs were busy: the load average was %1 on %2 cores.</source>
        <translation>Otros programas estaban ocupados: la carga media era %1 en %2 núcleos.</translation>
    </message>
    <message>
        <source>Other programs were running when this began (%1 threads on average): threads that wait for each other sleep instead of spinning (OMP_WAIT_POLICY=passive). Set OMP_WAIT_POLICY to decide it yourself.</source>
        <translation>Otros programas se ejecutaban al empezar (%1 hilos de media): los hilos que se esperan unos a otros duermen en lugar de girar (OMP_WAIT_POLICY=passive). Defina OMP_WAIT_POLICY para decidirlo usted.</translation>
    </message>
    <message>
        <source>%1 (incomplete)</source>
        <translation>%1 (incompleto)</translation>
    </message>
    <message>
        <source>%1 (cancelled before the last)</source>
        <translation>%1 (cancelado antes del último)</translation>
    </message>
    <message>
        <source>%1, not to the end in %2 of them</source>
        <translation>%1, sin llegar al final en %2 de ellos</translation>
    </message>
    <message>
        <source>%1, in each of %2 processes</source>
        <translation>%1, en cada uno de %2 procesos</translation>
    </message>
    <message>
        <source>%1, in %2 of %3 processes</source>
        <translation>%1, en %2 de %3 procesos</translation>
    </message>
    <message>
        <source>%1, in %2 processes</source>
        <translation>%1, en %2 procesos</translation>
    </message>
    <message>
        <source>95 % interval within %1 % after %2 samples</source>
        <translation>intervalo del 95 % dentro del %1 % tras %2 muestras</translation>
    </message>
    <message>
        <source>time limit %1 s of %2 s after %3 of %4 samples</source>
        <translation>límite de tiempo de %1 s de %2 s tras %3 de %4 muestras</translation>
    </message>
    <message>
        <source>time limit %1 s of %2 s after %3 samples</source>
        <translation>límite de tiempo de %1 s de %2 s tras %3 muestras</translation>
    </message>
    <message>
        <source>time limit %1 s of %2 s after 1 sample</source>
        <translation>límite de tiempo de %1 s de %2 s tras 1 muestra</translation>
    </message>
    <message>
        <source>time limit %1 s after %2 of %3 samples</source>
        <translation>límite de tiempo de %1 s tras %2 de %3 muestras</translation>
    </message>
    <message>
        <source>time limit %1 s after %2 samples</source>
        <translation>límite de tiempo de %1 s tras %2 muestras</translation>
    </message>
    <message>
        <source>time limit %1 s after 1 sample</source>
        <translation>límite de tiempo de %1 s tras 1 muestra</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 muestras</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 muestra</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>igual</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>distinto</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>sin comprobar</translation>
    </message>
    <message>
        <source>within %1</source>
        <translation>dentro de %1</translation>
    </message>
    <message>
        <source>recorded part of a repetition: %1, %2 of it; untraced repetition: %3</source>
        <translation>parte grabada de una repetición: %1, %2 de ella; repetición sin traza: %3</translation>
    </message>
    <message>
        <source>recorded sample: %1, untraced %2 from a CUDA graph, %3 launched one by one</source>
        <translation>muestra con traza: %1, sin traza %2 desde un grafo CUDA, %3 lanzada una a una</translation>
    </message>
    <message>
        <source>recorded sample: %1, untraced %2</source>
        <translation>muestra con traza: %1, sin traza %2</translation>
    </message>
    <message>
        <source>%1 looks %2 faster than %3%4, but 1 sample is too few for an interval (n &lt; 5)</source>
        <translation>%1 parece %2 más rápido que %3%4, pero 1 muestra es muy poca para un intervalo (n &lt; 5)</translation>
    </message>
    <message>
        <source>The samples come from 1 process: %1.</source>
        <translation>Las muestras son de 1 proceso: %1.</translation>
    </message>
    <message>
        <source>The samples come from %1 processes: %2.</source>
        <translation>Las muestras son de %1 procesos: %2.</translation>
    </message>
    <message>
        <source>fewer samples were asked for than the %1 processes that a verdict needs; ask for more, or leave their number out</source>
        <translation>se pidieron menos muestras que los %1 procesos que necesita un veredicto; pida más, o no indique cuántas</translation>
    </message>
    <message>
        <source>so many were asked for, and a verdict needs %1</source>
        <translation>se pidieron tantos, y un veredicto necesita %1</translation>
    </message>
    <message>
        <source>a training on a dataset is trained once, and a verdict needs %1 trainings: preset thesis, or processes %2</source>
        <translation>con un conjunto de datos se entrena una vez, y un veredicto necesita %1 entrenamientos: ajuste thesis, o processes %2</translation>
    </message>
    <message>
        <source>all %1 epochs</source>
        <translation>todas las épocas (%1)</translation>
    </message>
    <message>
        <source>%1 epochs, and %2 are asked for</source>
        <translation>%1 épocas, y se piden %2</translation>
    </message>
    <message>
        <source>validation loss no better for %1 epochs</source>
        <translation>la pérdida de validación no mejora desde hace %1 épocas</translation>
    </message>
    <message>
        <source>all %1 learning rates</source>
        <translation>todas las tasas de aprendizaje (%1)</translation>
    </message>
    <message>
        <source>the loss grew out of bounds</source>
        <translation>la pérdida creció sin límite</translation>
    </message>
    <message>
        <source>power limit</source>
        <translation>límite de potencia</translation>
    </message>
    <message>
        <source>hardware slowdown</source>
        <translation>freno del hardware</translation>
    </message>
    <message>
        <source>another device&apos;s clocks</source>
        <translation>relojes de otro dispositivo</translation>
    </message>
    <message>
        <source>heat</source>
        <translation>temperatura</translation>
    </message>
    <message>
        <source>heat (hardware)</source>
        <translation>temperatura (hardware)</translation>
    </message>
    <message>
        <source>power brake</source>
        <translation>freno externo de potencia</translation>
    </message>
    <message>
        <source>%1: transfers take %2: copies %3 and the host&apos;s calls for them %4 (%5 on average). Move more data in fewer copies, or keep it on the device.</source>
        <translation>%1: las transferencias ocupan el %2: las copias el %3 y las llamadas del anfitrión que las piden el %4 (%5 de media). Mueva más datos en menos copias, o déjelos en el dispositivo.</translation>
    </message>
    <message>
        <source>1 copy of %1</source>
        <translation>1 copia de %1</translation>
    </message>
    <message>
        <source>%1 copies of %2</source>
        <translation>%1 copias de %2</translation>
    </message>
    <message>
        <source>It counts the part copy (memory sets too) and, of launch, the calls for copies: no kernel runs then. Source: CUDA C++ Best Practices Guide, data transfer between host and device.</source>
        <translation>Cuenta la parte copia (también los rellenos de memoria) y, del lanzamiento, las llamadas para copias: entonces no se ejecuta ningún kernel. Fuente: CUDA C++ Best Practices Guide, transferencia de datos entre anfitrión y dispositivo.</translation>
    </message>
    <message>
        <source>copies between the kernels come first</source>
        <translation>antes están las copias entre los kernels</translation>
    </message>
    <message>
        <source>%1: the device waits for launches of kernels for %2 (launch: %3): the median kernel takes %4, its launch %5. Give each kernel more work, join kernels, or launch them as a CUDA graph.</source>
        <translation>%1: el dispositivo espera a que se lancen kernels durante el %2 (lanzamiento: %3): la mediana de los kernels es %4 y la de sus lanzamientos %5. Dé más trabajo a cada kernel, fusione kernels o láncelos como un grafo CUDA.</translation>
    </message>
    <message>
        <source>It counts, of launch, the calls that launch kernels; the median kernel has to be shorter than the median of these, and the estimated gain as large. Source: CUDA C++ Programming Guide, CUDA graphs.</source>
        <translation>Cuenta, del lanzamiento, las llamadas que lanzan kernels; la mediana de los kernels tiene que ser menor que la de estas, y la ganancia estimada al menos la misma proporción. Fuente: CUDA C++ Programming Guide, grafos CUDA.</translation>
    </message>
    <message>
        <source>%1: copies %2 from or to pageable memory take %3%4 at %5%6. Let the data be made in pinned memory.</source>
        <translation>%1: las copias de memoria paginable (%2) ocupan el %3%4 a %5%6. Haga que los datos se creen en memoria fijada.</translation>
    </message>
    <message>
        <source>, %1 while no kernel runs,</source>
        <translation>, el %1 sin ningún kernel en ejecución,</translation>
    </message>
    <message>
        <source>, where a pinned copy reached %1</source>
        <translation>, cuando una copia de memoria fijada alcanzó %1</translation>
    </message>
    <message>
        <source>a copy into pinned memory first takes the host as long as the driver&apos;s staging does, and whether it can be left out is not known</source>
        <translation>copiar antes a memoria fijada cuesta al anfitrión tanto como la copia intermedia del controlador, y no se sabe si se puede evitar</translation>
    </message>
    <message>
        <source>Copies have to be of %1 or more on average: up to that size the runtime may stage them at once. Source: CUDA C++ Best Practices Guide, pinned memory; CUDA runtime reference, synchronization behavior.</source>
        <translation>Las copias tienen que ser de %1 o más de media: hasta ese tamaño el entorno de ejecución puede pasarlas enseguida a su memoria intermedia. Fuente: CUDA C++ Best Practices Guide, memoria fijada; referencia de CUDA Runtime, comportamiento de la sincronización.</translation>
    </message>
    <message>
        <source>%1: for %2 the device has nothing to do and the host launches nothing: synchronise %3 and other %4; the longest gap takes %5. Queue work ahead instead of waiting after each step, and move the host&apos;s work beside the device&apos;s.</source>
        <translation>%1: durante el %2 el dispositivo no tiene nada que hacer y el anfitrión no lanza nada: sincronización %3 y otro %4; el hueco más largo dura %5. Encole el trabajo por adelantado en vez de esperar después de cada paso, y solape el trabajo del anfitrión con el del dispositivo.</translation>
    </message>
    <message>
        <source>how much of it waits for the device&apos;s results is not known; it is at most the share above</source>
        <translation>no se sabe cuánto de ello espera resultados del dispositivo; es como mucho la proporción indicada</translation>
    </message>
    <message>
        <source>It counts the parts synchronise and other. Source: CUDA C++ Best Practices Guide, asynchronous and overlapping transfers with computation.</source>
        <translation>Cuenta las partes sincronización y otro. Fuente: CUDA C++ Best Practices Guide, transferencias asíncronas y solapadas con el cálculo.</translation>
    </message>
    <message>
        <source>%1: recording disturbs what is seen here: the profiler&apos;s own work takes %2%3. Compare times of untraced samples; read shares here with care.</source>
        <translation>%1: la grabación perturba lo que se ve aquí: el trabajo del propio perfilador ocupa el %2%3. Compare los tiempos de las muestras sin traza y lea con cautela las proporciones de aquí.</translation>
    </message>
    <message>
        <source>, and these take %1 longer than untraced ones</source>
        <translation>, y estas tardan un %1 más que las muestras sin traza</translation>
    </message>
    <message>
        <source>Shown from %1, the most that recording may cost for kernels of 50 us and more by this program&apos;s goals.</source>
        <translation>Se muestra a partir del %1, lo máximo que puede costar la grabación con kernels de 50 µs o más según los objetivos de este programa.</translation>
    </message>
    <message>
        <source>%1: kernel %2 can reach %3. Few warps hide little latency; use fewer registers or less shared memory a block, or another block size, unless each thread has enough independent work.</source>
        <translation>%1: el kernel %2 puede alcanzar una ocupación del %3. Con pocos warps se oculta poca latencia; use menos registros o menos memoria compartida por bloque, u otro tamaño de bloque, salvo que cada hilo tenga bastante trabajo independiente.</translation>
    </message>
    <message>
        <source>kernels with few warps and much independent work are among the fastest</source>
        <translation>los kernels con pocos warps y mucho trabajo independiente están entre los más rápidos</translation>
    </message>
    <message>
        <source>Shown below %1 for kernels with at least %2. Source: CUDA C++ Best Practices Guide, occupancy; formula of NVIDIA&apos;s occupancy calculator.</source>
        <translation>Se muestra por debajo del %1 para los kernels con al menos el %2. Fuente: CUDA C++ Best Practices Guide, ocupación; fórmula de la calculadora de ocupación de NVIDIA.</translation>
    </message>
    <message>
        <source>%1: kernel %2 has %3 blocks for %4 multiprocessors, so part of the device is idle while it runs. Split the work into more blocks, or run several kernels at once on streams.</source>
        <translation>%1: la malla del kernel %2 (bloques: %3) no llega a los %4 multiprocesadores, así que parte del dispositivo está inactiva mientras se ejecuta. Reparta el trabajo en más bloques, o ejecute varios kernels a la vez en flujos (streams).</translation>
    </message>
    <message>
        <source>the device waits for launches anyway</source>
        <translation>el dispositivo espera de todos modos a los lanzamientos</translation>
    </message>
    <message>
        <source>Shown for kernels with at least %1 and fewer blocks than half the multiprocessors. Source: CUDA C++ Best Practices Guide, thread and block heuristics.</source>
        <translation>Se muestra para los kernels con al menos el %1 y menos bloques que la mitad de los multiprocesadores. Fuente: CUDA C++ Best Practices Guide, heurísticas de hilos y bloques.</translation>
    </message>
    <message>
        <source>The recording is not complete: %1 records were dropped and %2 have no time. Counts and times here are too small; record fewer repetitions.</source>
        <translation>La grabación no está completa (registros perdidos: %1; sin marca de tiempo: %2). Los recuentos y los tiempos de aquí se quedan cortos; grabe menos repeticiones.</translation>
    </message>
    <message>
        <source>Shown from the first lost record.</source>
        <translation>Se muestra a partir del primer registro perdido.</translation>
    </message>
    <message>
        <source>%1 of %2 kernels and copies have no link to the call that launched them: how long they queued is not known and counts as synchronise or other.</source>
        <translation>De %2 kernels y copias no tienen enlace con la llamada que los lanzó: %1. Cuánto esperaron en la cola no se sabe, y cuenta como sincronización u otro.</translation>
    </message>
    <message>
        <source>Shown from the first piece of work without a link.</source>
        <translation>Se muestra a partir del primer trabajo sin enlace.</translation>
    </message>
    <message>
        <source>The driver is asked ten times a second, so a short sample may lie between two looks. Source: NVML reference, clocks event reasons.</source>
        <translation>Se pregunta al controlador diez veces por segundo, así que una muestra corta puede caer entre dos consultas. Fuente: referencia de NVML, clocks event reasons.</translation>
    </message>
    <message>
        <source>what computes follows the clock and what waits for memory does not, and which of the two it is decides</source>
        <translation>lo que calcula sigue al reloj y lo que espera a la memoria no, y depende de cuál de los dos sea</translation>
    </message>
    <message>
        <source>%1: the device&apos;s clocks were held back for %2: %3. These times are not those of the device at its full clock: let it cool down, look at its cooling and power supply, and repeat the run.</source>
        <translation>%1: los relojes del dispositivo estuvieron frenados durante el %2: %3. Estos tiempos no son los del dispositivo con su reloj máximo: deje que se enfríe, revise su refrigeración y su alimentación, y repita la ejecución.</translation>
    </message>
    <message>
        <source>%1: note: for %2 the device ran at its power limit and below its highest clock, and nothing else held it back. That is normal under full load; compare with runs under the same limit.</source>
        <translation>%1: nota: durante el %2 el dispositivo funcionó en su límite de potencia y por debajo de su reloj máximo, y nada más lo frenaba. Es normal a plena carga; compare con ejecuciones que tengan el mismo límite.</translation>
    </message>
    <message>
        <source>%1: note: for %2 the driver still called the device idle, with its clocks below what they reach under load. Longer samples or a longer warm-up measure it at speed.</source>
        <translation>%1: nota: durante el %2 el controlador aún daba el dispositivo por inactivo, con los relojes por debajo de los que alcanza bajo carga. Con muestras o un calentamiento más largos se mide a su velocidad.</translation>
    </message>
    <message>
        <source>the study has no untraced samples</source>
        <translation>el estudio no tiene muestras sin traza</translation>
    </message>
    <message>
        <source>No gain is estimated: %1.</source>
        <translation>No se estima ninguna ganancia: %1.</translation>
    </message>
    <message>
        <source>No gain is estimated: less than %1 of the time of %2.</source>
        <translation>No se estima ninguna ganancia: menos del %1 del tiempo de %2.</translation>
    </message>
    <message>
        <source>Estimated gain: %1 of the time of %2.</source>
        <translation>Ganancia estimada: el %1 del tiempo de %2.</translation>
    </message>
    <message>
        <source>an untraced repetition: its kernels one right after the other, gradients of weights beside those of inputs</source>
        <translation>una repetición sin traza: sus kernels uno justo detrás de otro, y los gradientes de los pesos a la vez que los de las entradas</translation>
    </message>
    <message>
        <source>the link&apos;s rate is unknown, the recording has no large copy</source>
        <translation>no se conoce la tasa del enlace, la grabación no tiene ninguna copia grande</translation>
    </message>
    <message>
        <source>an untraced repetition: what the host takes for copies, less the same bytes at the best rate seen</source>
        <translation>una repetición sin traza: lo que el anfitrión tarda en las copias, menos los mismos bytes a la mejor tasa vista</translation>
    </message>
    <message>
        <source>an untraced repetition: copies and their calls without what recording adds, less the same bytes at the best rate seen</source>
        <translation>una repetición sin traza: las copias y sus llamadas sin lo que añade la grabación, menos los mismos bytes a la mejor tasa vista</translation>
    </message>
    <message>
        <source>the kernel&apos;s time or the device is not known</source>
        <translation>no se conoce el tiempo del kernel o el dispositivo</translation>
    </message>
    <message>
        <source>an untraced repetition: a block on each multiprocessor, and a second kernel that joins them; neither takes less than its launch</source>
        <translation>una repetición sin traza: un bloque en cada multiprocesador y un segundo kernel que une sus resultados; ninguno tarda menos que su lanzamiento</translation>
    </message>
    <message>
        <source>a traced repetition, without recording</source>
        <translation>una repetición con traza, sin la grabación</translation>
    </message>
    <message>
        <source>%1 of the wall time of the traced samples</source>
        <translation>%1 del tiempo real de las muestras trazadas</translation>
    </message>
    <message>
        <source>Shown from %1.</source>
        <translation>Se muestra a partir del %1.</translation>
    </message>
    <message>
        <source>it is about the recording</source>
        <translation>se trata de la grabación</translation>
    </message>
    <message>
        <source>host to device</source>
        <translation>anfitrión a dispositivo</translation>
    </message>
    <message>
        <source>device to host</source>
        <translation>dispositivo a anfitrión</translation>
    </message>
    <message>
        <source>on the device</source>
        <translation>en el dispositivo</translation>
    </message>
    <message>
        <source>between devices</source>
        <translation>entre dispositivos</translation>
    </message>
    <message>
        <source>host to host</source>
        <translation>anfitrión a anfitrión</translation>
    </message>
    <message>
        <source>other</source>
        <translation>otra</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>warps</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>bloques</translation>
    </message>
    <message>
        <source>registers</source>
        <translation>registros</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>memoria compartida</translation>
    </message>
    <message>
        <source>%1, %2 of %3 warps, limited by %4</source>
        <translation>%1, %2 de %3 warps, limitado por %4</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>entradas</translation>
    </message>
    <message>
        <source>operands</source>
        <translation>operandos</translation>
    </message>
    <message>
        <source>check against cpu/sequential</source>
        <translation>comprobación con cpu/sequential</translation>
    </message>
    <message>
        <source>first use</source>
        <translation>primer uso</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>calentamiento</translation>
    </message>
    <message>
        <source>timed samples</source>
        <translation>muestras medidas</translation>
    </message>
    <message>
        <source>traced samples</source>
        <translation>muestras con traza</translation>
    </message>
    <message>
        <source>stopped before it began</source>
        <translation>detenida antes de empezar</translation>
    </message>
    <message>
        <source>stopped before its end</source>
        <translation>detenida antes de terminar</translation>
    </message>
    <message>
        <source>stopped on request (%1)</source>
        <translation>detenido a petición (%1)</translation>
    </message>
    <message>
        <source>no run finished: %1</source>
        <translation>ninguna ejecución terminó: %1</translation>
    </message>
    <message>
        <source>%1 cannot do %2: %3</source>
        <translation>%1 no puede hacer %2: %3</translation>
    </message>
    <message>
        <source>needs %1 of memory, %2 may be used</source>
        <translation>necesita %1 de memoria, se pueden usar %2</translation>
    </message>
    <message>
        <source>choose smaller layers</source>
        <translation>elija capas más pequeñas</translation>
    </message>
    <message>
        <source>choose a smaller input</source>
        <translation>elija una entrada más pequeña</translation>
    </message>
    <message>
        <source>a batch of %1 would fit</source>
        <translation>cabría un lote de %1</translation>
    </message>
    <message>
        <source>m = n = k = %1 would fit</source>
        <translation>cabría m = n = k = %1</translation>
    </message>
    <message>
        <source>a size of %1 x %2 would fit</source>
        <translation>cabría un tamaño de %1 x %2</translation>
    </message>
    <message>
        <source>memory ran out</source>
        <translation>la memoria se agotó</translation>
    </message>
    <message>
        <source>no room for %1 bytes</source>
        <translation>no hay sitio para %1 bytes</translation>
    </message>
    <message>
        <source>%1 bytes are free</source>
        <translation>hay %1 bytes libres</translation>
    </message>
    <message>
        <source>no room for %1 on the device</source>
        <translation>no hay sitio para %1 en el dispositivo</translation>
    </message>
    <message>
        <source>%1 are free</source>
        <translation>hay %1 libres</translation>
    </message>
    <message>
        <source>choose a smaller size</source>
        <translation>elija un tamaño menor</translation>
    </message>
    <message>
        <source>choose a smaller size, or close other programs that hold memory of this device</source>
        <translation>elija un tamaño menor o cierre otros programas que ocupen memoria de este dispositivo</translation>
    </message>
    <message>
        <source>target &apos;%1&apos;</source>
        <translation>objetivo «%1»</translation>
    </message>
    <message>
        <source>there is no device &apos;%1&apos;</source>
        <translation>no existe el dispositivo «%1»</translation>
    </message>
    <message>
        <source>device &apos;%1&apos; cannot be used: %2</source>
        <translation>el dispositivo «%1» no se puede usar: %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be used: %2</source>
        <translation>«%1» no se puede usar: %2</translation>
    </message>
    <message>
        <source>device &apos;%1&apos; has no implementation &apos;%2&apos;</source>
        <translation>el dispositivo «%1» no tiene la implementación «%2»</translation>
    </message>
    <message>
        <source>&apos;heteroscope-cli devices&apos; lists what there is</source>
        <translation>«heteroscope-cli devices» muestra lo que hay</translation>
    </message>
    <message>
        <source>this build has no %1 part (built without CUDA, or the module is not at %2)</source>
        <translation>esta compilación no tiene la parte %1 (compilada sin CUDA, o el módulo no está en %2)</translation>
    </message>
    <message>
        <source>it cannot be loaded: %1</source>
        <translation>no se puede cargar: %1</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>proceso %1</translation>
    </message>
    <message>
        <source>run %1, %2</source>
        <translation>la ejecución %1, %2</translation>
    </message>
    <message>
        <source>forecast %1</source>
        <translation>previsión %1</translation>
    </message>
    <message>
        <source>forecast %1, %2 were free</source>
        <translation>previsión %1, había %2 libres</translation>
    </message>
    <message>
        <source>a worker process was ended by signal %1 (%2)</source>
        <translation>la señal %1 (%2) terminó un proceso de cálculo</translation>
    </message>
    <message>
        <source>a worker process was stopped</source>
        <translation>un proceso de cálculo fue detenido</translation>
    </message>
    <message>
        <source>a worker process ended with exit code %1</source>
        <translation>un proceso de cálculo terminó con el código de salida %1</translation>
    </message>
    <message>
        <source>a worker process ended before its stream did</source>
        <translation>un proceso de cálculo terminó antes que su flujo de datos</translation>
    </message>
    <message>
        <source>%1 while computing %2</source>
        <translation>%1 mientras calculaba %2</translation>
    </message>
    <message>
        <source>%1 and not by this program: %2</source>
        <translation>%1, y no por este programa: %2</translation>
    </message>
    <message>
        <source>its own words are above</source>
        <translation>sus propias palabras están arriba</translation>
    </message>
    <message>
        <source>run again; to end a study, signal the process that was started, which stops its workers</source>
        <translation>ejecute de nuevo; para terminar un estudio, envíe la señal al proceso que se inició, que detiene los suyos</translation>
    </message>
    <message>
        <source>the kernel&apos;s out-of-memory killer may have sent it: choose a smaller batch, size or fewer threads</source>
        <translation>puede ser del núcleo, que mata procesos cuando falta memoria: elija un lote o tamaño menor, o menos hilos</translation>
    </message>
    <message>
        <source>SIGKILL comes from a person (kill -9), from a batch system or container at one of its limits, or from the kernel when memory runs out, of which nothing is seen here</source>
        <translation>SIGKILL es de una persona (kill -9), de un sistema de colas o contenedor en uno de sus límites, o del núcleo cuando falta memoria, de lo que aquí no se ve nada</translation>
    </message>
    <message>
        <source>cannot be written: %1</source>
        <translation>no se puede escribir: %1</translation>
    </message>
    <message>
        <source>free some space or choose another place</source>
        <translation>libere espacio o elija otro lugar</translation>
    </message>
    <message>
        <source>this process may have %1 files open at a time: raise that limit (ulimit -n)</source>
        <translation>este proceso puede tener %1 archivos abiertos a la vez: suba ese límite (ulimit -n)</translation>
    </message>
    <message>
        <source>close other programs, or raise the system&apos;s limit (sysctl fs.file-max)</source>
        <translation>cierre otros programas o suba el límite del sistema (sysctl fs.file-max)</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>hay demasiados archivos abiertos</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>no queda espacio en el dispositivo</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>se ha superado la cuota de disco</translation>
    </message>
    <message>
        <source>this process may write files of %1 bytes at most: raise that limit (ulimit -f)</source>
        <translation>este proceso puede escribir archivos de %1 bytes como mucho: suba ese límite (ulimit -f)</translation>
    </message>
    <message>
        <source>choose a place whose file system takes larger files</source>
        <translation>elija un lugar cuyo sistema de archivos admita archivos más grandes</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>el archivo es demasiado grande</translation>
    </message>
    <message>
        <source>allowed: %1</source>
        <translation>permitido: %1</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>hacia adelante</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>pérdida</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>hacia atrás</translation>
    </message>
    <message>
        <source>update</source>
        <translation>actualización</translation>
    </message>
    <message>
        <source>training</source>
        <translation>entrenamiento</translation>
    </message>
    <message>
        <source>inference</source>
        <translation>inferencia</translation>
    </message>
    <message>
        <source>layer &quot;%1&quot;</source>
        <translation>capa «%1»</translation>
    </message>
    <message>
        <source>run %1 on %2, forecast %3 of memory</source>
        <translation>la ejecución %1 en %2, previsión %3 de memoria</translation>
    </message>
    <message>
        <source>inputs of %1</source>
        <translation>entradas de %1</translation>
    </message>
    <message>
        <source>check against cpu/sequential of %1</source>
        <translation>comprobación con cpu/sequential de %1</translation>
    </message>
    <message>
        <source>the computation was ended by SIGSEGV, an invalid memory access</source>
        <translation>SIGSEGV, un acceso a memoria no válido, terminó el cálculo</translation>
    </message>
    <message>
        <source>the computation was ended by SIGBUS, a memory error</source>
        <translation>SIGBUS, un error de memoria, terminó el cálculo</translation>
    </message>
    <message>
        <source>the computation was ended by SIGFPE, an arithmetic error</source>
        <translation>SIGFPE, un error aritmético, terminó el cálculo</translation>
    </message>
    <message>
        <source>the computation was ended by SIGILL, an instruction this processor lacks</source>
        <translation>SIGILL, una instrucción que este procesador no tiene, terminó el cálculo</translation>
    </message>
    <message>
        <source>the computation was ended by SIGABRT, a library gave up</source>
        <translation>SIGABRT, una biblioteca que se rindió, terminó el cálculo</translation>
    </message>
    <message>
        <source>an internal error that nobody caught</source>
        <translation>un error interno que nadie trató</translation>
    </message>
    <message>
        <source>the memory of this process ran out</source>
        <translation>la memoria de este proceso se agotó</translation>
    </message>
    <message>
        <source>a library ended the program</source>
        <translation>una biblioteca terminó el programa</translation>
    </message>
    <message>
        <source>memory that ends inside a library is the usual cause, or threads that it cannot start: choose a smaller batch or fewer threads, or raise the limit of this process (ulimit -v, ulimit -u, control group); what was measured before stays in the run file, where one is written</source>
        <translation>la causa habitual es que dentro de una biblioteca se acabe la memoria o no se puedan iniciar hilos: elija un lote menor o menos hilos, o suba el límite de este proceso (ulimit -v, ulimit -u, grupo de control); lo medido hasta entonces queda en el archivo de la ejecución, si se escribe uno</translation>
    </message>
    <message>
        <source>the recording holds no kernels that its layers launched, and the host&apos;s spans tell only of submitting work</source>
        <translation>la grabación no contiene kernels lanzados por sus capas, y los tramos del anfitrión solo dicen cuándo se envió trabajo</translation>
    </message>
    <message>
        <source>the driver does not tell the memory&apos;s clock and width</source>
        <translation>el controlador no indica el reloj ni el ancho de la memoria</translation>
    </message>
    <message>
        <source>the driver does not tell the number of multiprocessors and their clock</source>
        <translation>el controlador no indica el número de multiprocesadores ni su reloj</translation>
    </message>
    <message>
        <source>how many operations a clock a multiprocessor of compute capability %1 does is not known here</source>
        <translation>aquí no se sabe cuántas operaciones por ciclo hace un multiprocesador de capacidad de cómputo %1</translation>
    </message>
    <message>
        <source>not measured on this machine before the study; &quot;heteroscope-cli devices --measure&quot; does it once</source>
        <translation>no se midió en esta máquina antes del estudio; «heteroscope-cli devices --measure» lo hace una vez</translation>
    </message>
    <message>
        <source>no peak bandwidth of this device is recorded</source>
        <translation>no está grabado el ancho de banda máximo de este dispositivo</translation>
    </message>
    <message>
        <source>no peak rate of this device is recorded</source>
        <translation>no está grabada la tasa máxima de este dispositivo</translation>
    </message>
    <message>
        <source>the recording has no record of this device</source>
        <translation>la grabación no tiene registro de este dispositivo</translation>
    </message>
    <message>
        <source>TF32 goes beyond the fp32 roof, and the rate of the tensor cores is not recorded</source>
        <translation>TF32 supera el techo fp32, y la tasa de los núcleos tensoriales no está grabada</translation>
    </message>
    <message>
        <source>%1 kernels belong to repetitions whose own spans were not kept; their times are not in the roofline</source>
        <translation>%1 kernels son de repeticiones cuyos propios tramos no se conservaron; sus tiempos no están en el roofline</translation>
    </message>
    <message>
        <source>%1 repetitions of %2 on %3 have no time: none of their kernels was recorded</source>
        <translation>%1 repeticiones de %2 en %3 no tienen tiempo: no se grabó ninguno de sus kernels</translation>
    </message>
    <message>
        <source>A / B: geometric mean of %1 pairs of studies that took turns.</source>
        <translation>A / B: media geométrica de %1 pares de estudios que se turnaron.</translation>
    </message>
    <message>
        <source>A / B: geometric mean of %1 pairs of studies. They did not take turns: each pair has to end before the next starts, and a difference below a factor of 2 may be one of moments.</source>
        <translation>A / B: media geométrica de %1 pares de estudios. No se turnaron: cada par tiene que acabar antes de que empiece el siguiente, y una diferencia menor que un factor 2 puede ser de momentos.</translation>
    </message>
    <message>
        <source>%1 and %2 are the same recording; each study of a pair is a run of its own. Leave one out and select another run.</source>
        <translation>%1 y %2 son la misma grabación; cada estudio de un par es una ejecución propia. Quite una y seleccione otra ejecución.</translation>
    </message>
    <message>
        <source>%1 does not say when it started, which pairs are made by. Compare these runs on the command line, which takes pairs as they are given.</source>
        <translation>%1 no dice cuándo empezó, y de ello salen los pares. Compare estas ejecuciones en la línea de órdenes, que toma los pares tal como se le dan.</translation>
    </message>
    <message>
        <source>In the order of their start runs %1 and %2 are of one experiment: %3 and %4. Pairs alternate: A B A B A B. Select runs that do, or measure A and B again by turns.</source>
        <translation>En el orden de su inicio las ejecuciones %1 y %2 son de un mismo experimento: %3 y %4. Los pares alternan: A B A B A B. Seleccione ejecuciones que lo hagan, o mida A y B de nuevo por turnos.</translation>
    </message>
    <message>
        <source>The %1 runs are of %2 experiments; pairs are of two, A and B. Select runs of two experiments that alternate: A B A B A B.</source>
        <translation>Las %1 ejecuciones son de %2 experimentos; los pares son de dos, A y B. Seleccione ejecuciones de dos experimentos que alternen: A B A B A B.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nada</translation>
    </message>
    <message>
        <source>Heteroscope: %1 against %2</source>
        <translation>Heteroscope: %1 frente a %2</translation>
    </message>
    <message>
        <source>environment %1: %2 against %3</source>
        <translation>entorno %1: %2 frente a %3</translation>
    </message>
    <message>
        <source>experiment %1: %2 against %3</source>
        <translation>experimento %1: %2 frente a %3</translation>
    </message>
    <message>
        <source>A of pairs 1 and %1: %2</source>
        <translation>A de los pares 1 y %1: %2</translation>
    </message>
    <message>
        <source>B of pairs 1 and %1: %2</source>
        <translation>B de los pares 1 y %1: %2</translation>
    </message>
    <message>
        <source>what tracing cost was not measured</source>
        <translation>lo que costó la traza no se midió</translation>
    </message>
    <message>
        <source>traced samples took %1 less than untraced ones</source>
        <translation>las muestras con traza tardaron un %1 menos que las sin traza</translation>
    </message>
    <message>
        <source>traced samples took %1 more than untraced ones</source>
        <translation>las muestras con traza tardaron un %1 más que las sin traza</translation>
    </message>
    <message>
        <source>damaged: %1</source>
        <translation>dañada: %1</translation>
    </message>
    <message>
        <source>everything before was read</source>
        <translation>todo lo anterior se leyó</translation>
    </message>
    <message>
        <source>everything before was read, and the run had ended as %1</source>
        <translation>todo lo anterior se leyó, y la ejecución había acabado como %1</translation>
    </message>
    <message>
        <source>%1, byte %2</source>
        <translation>%1, byte %2</translation>
    </message>
    <message>
        <source>%1 bytes follow behind the end of the recording, which is complete</source>
        <translation>%1 bytes siguen al final de la grabación, que está completa</translation>
    </message>
    <message>
        <source>1 byte follows behind the end of the recording, which is complete</source>
        <translation>1 byte sigue al final de la grabación, que está completa</translation>
    </message>
    <message>
        <source>what follows is not read: keep the first %1 bytes of the file</source>
        <translation>lo que sigue no se lee: conserve los primeros %1 bytes del archivo</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>el archivo está vacío</translation>
    </message>
    <message>
        <source>a run file (.hscope)</source>
        <translation>un archivo de ejecución (.hscope)</translation>
    </message>
    <message>
        <source>expected checksum %1, found %2</source>
        <translation>se esperaba la suma de comprobación %1 y se encontró %2</translation>
    </message>
    <message>
        <source>expected a file header of %1 bytes, found the end</source>
        <translation>se esperaba una cabecera de archivo de %1 bytes y se encontró el final</translation>
    </message>
    <message>
        <source>expected a Heteroscope run file (it begins with &quot;HSCOPE&quot;), found other bytes</source>
        <translation>se esperaba un archivo de ejecución de Heteroscope (empieza por «HSCOPE») y se encontraron otros bytes</translation>
    </message>
    <message>
        <source>expected format %1, found %2</source>
        <translation>se esperaba el formato %1 y se encontró %2</translation>
    </message>
    <message>
        <source>expected a frame of at most %1 bytes, found %2</source>
        <translation>se esperaba un registro de %1 bytes como máximo y se encontró uno de %2</translation>
    </message>
    <message>
        <source>expected a frame of %1 bytes, found a whole one %2 bytes further on: the length is damaged</source>
        <translation>se esperaba un registro de %1 bytes y se encontró uno entero %2 bytes más adelante: la longitud está dañada</translation>
    </message>
    <message>
        <source>expected a kind of record, found 0, which is never written</source>
        <translation>se esperaba un tipo de registro y se encontró 0, que nunca se escribe</translation>
    </message>
    <message>
        <source>expected flags 0 or 1 and two zero bytes, found %1</source>
        <translation>se esperaban los indicadores 0 o 1 y dos bytes nulos y se encontró %1</translation>
    </message>
    <message>
        <source>expected the header frame first, found %1</source>
        <translation>se esperaba primero el registro de cabecera y se encontró %1</translation>
    </message>
    <message>
        <source>expected one header frame, found a second one</source>
        <translation>se esperaba un solo registro de cabecera y se encontró otro</translation>
    </message>
    <message>
        <source>expected nothing behind the end frame, found more bytes</source>
        <translation>no se esperaba nada tras el registro final y se encontraron más bytes</translation>
    </message>
    <message>
        <source>copy the file again from where it was written, or run its experiment again</source>
        <translation>copie de nuevo el archivo desde donde se escribió o ejecute de nuevo su experimento</translation>
    </message>
    <message>
        <source>copy the file again where there is another copy of it</source>
        <translation>copie de nuevo el archivo si hay otra copia de él</translation>
    </message>
    <message>
        <source>what was read can be used and exported</source>
        <translation>lo leído se puede usar y exportar</translation>
    </message>
    <message>
        <source>a copy that failed, a full disk or a loss of power may have left it: copy it again from where it was written, or run its experiment again</source>
        <translation>puede deberse a una copia fallida, a un disco lleno o a un corte de corriente: cópielo de nuevo desde donde se escribió o ejecute de nuevo su experimento</translation>
    </message>
    <message>
        <source>a copy that failed, a full disk or a loss of power may have cut it: copy it again from where it was written, or run its experiment again</source>
        <translation>puede haberlo cortado una copia fallida, un disco lleno o un corte de corriente: cópielo de nuevo desde donde se escribió o ejecute de nuevo su experimento</translation>
    </message>
    <message>
        <source>the file lost what had not reached the disk, or was written over</source>
        <translation>el archivo perdió lo que no había llegado al disco, o se sobrescribió</translation>
    </message>
    <message>
        <source>choose a .hscope file</source>
        <translation>elija un archivo .hscope</translation>
    </message>
    <message>
        <source>open it with the version that wrote it</source>
        <translation>ábralo con la versión que lo escribió</translation>
    </message>
    <message>
        <source>what comes before them is the whole recording</source>
        <translation>lo anterior es la grabación entera</translation>
    </message>
    <message>
        <source>comes after %1</source>
        <translation>va después de %1</translation>
    </message>
    <message>
        <source>asked for by ?impl=</source>
        <translation>pedida con ?impl=</translation>
    </message>
    <message>
        <source>?impl= asks for another</source>
        <translation>?impl= pide otra</translation>
    </message>
    <message>
        <source>no NVIDIA driver found (libcuda.so.1 is not there)</source>
        <translation>no se encuentra el controlador de NVIDIA (falta libcuda.so.1)</translation>
    </message>
    <message>
        <source>the NVIDIA driver supports CUDA %1, this program needs %2 or newer: update the driver</source>
        <translation>el controlador de NVIDIA admite CUDA %1 y este programa necesita %2 o posterior: actualice el controlador</translation>
    </message>
    <message>
        <source>the NVIDIA driver finds no device (look at nvidia-smi and CUDA_VISIBLE_DEVICES)</source>
        <translation>el controlador de NVIDIA no encuentra ningún dispositivo (mire nvidia-smi y CUDA_VISIBLE_DEVICES)</translation>
    </message>
    <message>
        <source>it computes maxima of windows 2x2 with stride 2 alone</source>
        <translation>solo calcula máximos de ventanas 2x2 con paso 2</translation>
    </message>
    <message>
        <source>it computes maxima of windows 2x2 with stride 2 and without padding alone</source>
        <translation>solo calcula máximos de ventanas 2x2 con paso 2 y sin relleno</translation>
    </message>
    <message>
        <source>it computes maxima of windows 3x3 with stride 1 or 2 alone</source>
        <translation>solo calcula máximos de ventanas 3x3 con paso 1 o 2</translation>
    </message>
    <message>
        <source>it pads with at most 1, by minus infinity</source>
        <translation>rellena con 1 como máximo, con menos infinito</translation>
    </message>
    <message>
        <source>windows leave the input</source>
        <translation>hay ventanas que salen de la entrada</translation>
    </message>
    <message>
        <source>rows have %1 windows, fewer than a vector of %2</source>
        <translation>las filas tienen %1 ventanas, menos que un vector de %2</translation>
    </message>
    <message>
        <source>rows have %1 windows, not a multiple of %2 below %3</source>
        <translation>las filas tienen %1 ventanas, que no es un múltiplo de %2 menor que %3</translation>
    </message>
    <message>
        <source>input and output fit into the last-level cache</source>
        <translation>la entrada y la salida caben en la caché de último nivel</translation>
    </message>
    <message>
        <source>it computes images in blocks of 16 channels alone, which trainings keep where all convolutions fill them</source>
        <translation>solo calcula imágenes en bloques de 16 canales, que los entrenamientos conservan donde todas las convoluciones los llenan</translation>
    </message>
    <message>
        <source>oneDNN pads max pooling with minus infinity only, not with zero</source>
        <translation>oneDNN rellena el máximo solo con menos infinito, no con cero</translation>
    </message>
    <message>
        <source>cuDNN pads both sides alike; give equal padding left and right, top and bottom</source>
        <translation>cuDNN rellena igual ambos lados; dé el mismo relleno a izquierda y derecha, arriba y abajo</translation>
    </message>
    <message>
        <source>cuDNN pads maxima with minus infinity; zero padding is for the other implementations</source>
        <translation>cuDNN rellena los máximos con menos infinito; el relleno con ceros es para las otras implementaciones</translation>
    </message>
    <message>
        <source>it takes as many groups as channels</source>
        <translation>requiere tantos grupos como canales</translation>
    </message>
    <message>
        <source>it takes the gradient of a single filter for each channel</source>
        <translation>requiere el gradiente de un solo filtro por canal</translation>
    </message>
    <message>
        <source>it takes gradients of strides of 1</source>
        <translation>requiere gradientes de paso 1</translation>
    </message>
    <message>
        <source>conv_direct is expected to take %1 of its time</source>
        <translation>se espera que conv_direct tarde %1 de su tiempo</translation>
    </message>
    <message>
        <source>it reads rows of A, which is transposed</source>
        <translation>lee filas de A, que está traspuesta</translation>
    </message>
    <message>
        <source>it is for depths of %1 and more</source>
        <translation>es para profundidades de %1 o más</translation>
    </message>
    <message>
        <source>it is for %1 columns and fewer, or %2 rows and fewer by a transposed B</source>
        <translation>es para %1 columnas o menos, o %2 filas o menos por una B traspuesta</translation>
    </message>
    <message>
        <source>it takes 1x1 kernels, strides of 1 and no padding</source>
        <translation>requiere núcleos de 1x1, paso 1 y ningún relleno</translation>
    </message>
    <message>
        <source>it takes 1x1 kernels</source>
        <translation>requiere núcleos de 1x1</translation>
    </message>
    <message>
        <source>it takes kernels of at most 256 elements</source>
        <translation>requiere núcleos de 256 elementos como máximo</translation>
    </message>
    <message>
        <source>it takes batches of at most %1, %2 inputs and %3 units</source>
        <translation>requiere lotes de %1 como máximo, %2 entradas y %3 unidades</translation>
    </message>
    <message>
        <source>it does not compute these operations as one</source>
        <translation>no calcula estas operaciones como una sola</translation>
    </message>
    <message>
        <source>a result in between is wanted</source>
        <translation>se quiere un resultado intermedio</translation>
    </message>
    <message>
        <source>another kernel, with the pooling after it, is faster</source>
        <translation>otro kernel, con el pooling que le sigue, es más rápido</translation>
    </message>
    <message>
        <source>it computes only a ReLU after this operation as one with it</source>
        <translation>solo calcula junto con esta operación una ReLU que la siga</translation>
    </message>
    <message>
        <source>it computes only a convolution with a ReLU after it as one</source>
        <translation>solo calcula como una sola una convolución seguida de ReLU</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>lote</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>caché</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>canales</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>clases</translation>
    </message>
    <message>
        <source>countIncludePad</source>
        <translation>media con relleno</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>épocas</translation>
    </message>
    <message>
        <source>features</source>
        <translation>características</translation>
    </message>
    <message>
        <source>filter</source>
        <translation>filtro</translation>
    </message>
    <message>
        <source>filters</source>
        <translation>filtros</translation>
    </message>
    <message>
        <source>gamma</source>
        <translation>gamma</translation>
    </message>
    <message>
        <source>high</source>
        <translation>máximo</translation>
    </message>
    <message>
        <source>images</source>
        <translation>imágenes</translation>
    </message>
    <message>
        <source>initialization</source>
        <translation>inicialización</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>núcleo</translation>
    </message>
    <message>
        <source>learning_rate</source>
        <translation>tasa de aprendizaje</translation>
    </message>
    <message>
        <source>low</source>
        <translation>mínimo</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>modo</translation>
    </message>
    <message>
        <source>momentum</source>
        <translation>momento</translation>
    </message>
    <message>
        <source>multiply</source>
        <translation>producto</translation>
    </message>
    <message>
        <source>nesterov</source>
        <translation>nesterov</translation>
    </message>
    <message>
        <source>network</source>
        <translation>red</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>relleno</translation>
    </message>
    <message>
        <source>paddingValue</source>
        <translation>valor de relleno</translation>
    </message>
    <message>
        <source>patience</source>
        <translation>paciencia</translation>
    </message>
    <message>
        <source>preset</source>
        <translation>ajuste</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>procesos</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>tasa</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>muestras</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>semilla</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>forma</translation>
    </message>
    <message>
        <source>size</source>
        <translation>tamaño</translation>
    </message>
    <message>
        <source>source</source>
        <translation>origen</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>estrategia</translation>
    </message>
    <message>
        <source>stride</source>
        <translation>paso</translation>
    </message>
    <message>
        <source>target</source>
        <translation>objetivo</translation>
    </message>
    <message>
        <source>task</source>
        <translation>tarea</translation>
    </message>
    <message>
        <source>training_limit</source>
        <translation>límite de entrenamiento</translation>
    </message>
    <message>
        <source>type</source>
        <translation>tipo</translation>
    </message>
    <message>
        <source>units</source>
        <translation>unidades</translation>
    </message>
    <message>
        <source>validation_share</source>
        <translation>parte de validación</translation>
    </message>
    <message>
        <source>warmup_steps</source>
        <translation>pasos de calentamiento</translation>
    </message>
    <message>
        <source>weight_decay</source>
        <translation>decaimiento de pesos</translation>
    </message>
    <message>
        <source>everything before was read, and the run had ended as done</source>
        <translation>todo lo anterior se leyó, y la ejecución había terminado</translation>
    </message>
    <message>
        <source>2 x %1 MHz x %2 bytes</source>
        <translation>2 × %1 MHz × %2 bytes</translation>
    </message>
    <message>
        <source>planning of run %1 on %2, operands of %3</source>
        <translation>planificación de la ejecución %1 en %2, operandos de %3</translation>
    </message>
    <message>
        <source>2 x %1 multiprocessors x %2 lanes x %3 MHz</source>
        <translation>2 × %1 multiprocesadores × %2 carriles × %3 MHz</translation>
    </message>
    <message>
        <source>waiting for a quiet machine</source>
        <translation>esperando a que la máquina esté tranquila</translation>
    </message>
    <message>
        <source>%1 were waited for a quiet machine</source>
        <translation>se esperaron %1 a que la máquina estuviera tranquila</translation>
    </message>
    <message>
        <source>the processors were at %1 to %2 °C</source>
        <translation>los procesadores estaban a entre %1 y %2 °C</translation>
    </message>
    <message>
        <source>it takes 3x3 and 5x5 kernels, strides and dilations of 1 and one group</source>
        <translation>requiere núcleos de 3x3 o 5x5, paso y dilatación 1 y un solo grupo</translation>
    </message>
    <message>
        <source>it rounds more than sums of products do: ?transforms=on admits it</source>
        <translation>redondea más que las sumas de productos: ?transforms=on lo admite</translation>
    </message>
    <message>
        <source>the kernel is hardly longer than the two that splitting makes of it</source>
        <translation>el kernel apenas dura más que los dos que resultan de dividirlo</translation>
    </message>
    <message>
        <source>planning</source>
        <translation>planificación</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 recording</source>
        <translation>grabación de %1</translation>
    </message>
    <message>
        <source>%1 range</source>
        <translation>rango de %1</translation>
    </message>
</context>
<context>
    <name>TransferText</name>
    <message>
        <source>pageable</source>
        <translation>paginable</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>fijada</translation>
    </message>
    <message>
        <source>managed</source>
        <translation>gestionada</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>desconocida</translation>
    </message>
</context>
<context>
    <name>Transform</name>
    <message>
        <source>Resize</source>
        <translation>Redimensionar</translation>
    </message>
    <message>
        <source>To a height and width, by a triangle filter that averages where images shrink.</source>
        <translation>A un alto y un ancho, con un filtro triangular que promedia cuando la imagen se reduce.</translation>
    </message>
    <message>
        <source>Normalise</source>
        <translation>Normalizar</translation>
    </message>
    <message>
        <source>Each channel less its mean, divided by its deviation.</source>
        <translation>A cada canal se le resta su media y se divide entre su desviación.</translation>
    </message>
    <message>
        <source>Flip</source>
        <translation>Voltear</translation>
    </message>
    <message>
        <source>Left and right change places in some images.</source>
        <translation>En algunas imágenes se intercambian la izquierda y la derecha.</translation>
    </message>
    <message>
        <source>Rotate</source>
        <translation>Rotar</translation>
    </message>
    <message>
        <source>About the middle by a random angle; corners that come in are 0.</source>
        <translation>Alrededor del centro, con un ángulo aleatorio; las esquinas que entran valen 0.</translation>
    </message>
    <message>
        <source>Padded crop</source>
        <translation>Recortar con relleno</translation>
    </message>
    <message>
        <source>Zeros are put around the image, and a part of its size is cut out at a random place.</source>
        <translation>Se ponen ceros alrededor de la imagen y se recorta, en un lugar al azar, una parte de su tamaño.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui</name>
    <message>
        <source>a factor must be greater than 1, and the range start above 0</source>
        <translation>un factor debe ser mayor que 1 y el rango debe empezar por encima de 0</translation>
    </message>
    <message>
        <source>a step must be greater than 0</source>
        <translation>un paso debe ser mayor que 0</translation>
    </message>
    <message>
        <source>the range ends before it starts</source>
        <translation>el rango termina antes de empezar</translation>
    </message>
    <message>
        <source>more than %1 values</source>
        <translation>más de %1 valores</translation>
    </message>
    <message>
        <source>no values yet</source>
        <translation>aún no hay valores</translation>
    </message>
    <message>
        <source>a value is missing between two commas</source>
        <translation>falta un valor entre dos comas</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a whole range</source>
        <translation>«%1» no es un rango completo</translation>
    </message>
    <message>
        <source>%1 down and %2 across</source>
        <translation>%1 hacia abajo y %2 hacia la derecha</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 a %2</translation>
    </message>
    <message>
        <source>Each %1 window keeps its largest number</source>
        <translation>Cada ventana de %1 conserva su número mayor</translation>
    </message>
    <message>
        <source>Each %1 window becomes its average</source>
        <translation>Cada ventana de %1 se convierte en su promedio</translation>
    </message>
    <message>
        <source>%1, and the window moves by %2: %3 becomes %4.</source>
        <translation>%1 y la ventana avanza con paso %2: %3 se convierte en %4.</translation>
    </message>
    <message>
        <source>Window %1 of %2</source>
        <translation>Ventana %1 de %2</translation>
    </message>
    <message>
        <source>%1 · a part is shown</source>
        <translation>%1 · se muestra una parte</translation>
    </message>
    <message>
        <source>maximum %1</source>
        <translation>máximo %1</translation>
    </message>
    <message>
        <source>average %1</source>
        <translation>promedio %1</translation>
    </message>
    <message>
        <source>Rows %1, columns %2:</source>
        <translation>Filas %1, columnas %2:</translation>
    </message>
    <message>
        <source>Rounded down: a window that does not fit whole is left out</source>
        <translation>Redondeado hacia abajo: se omite la ventana que no cabe entera</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Alto</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Ancho</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>Ventanas</translation>
    </message>
    <message>
        <source>Windows extracted: one for each element of the output, over all channels and images</source>
        <translation>Ventanas extraídas: una por cada elemento de la salida, en todos los canales e imágenes</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>All images and channels, four bytes a number</source>
        <translation>Todas las imágenes y canales, cuatro bytes por número</translation>
    </message>
    <message>
        <source>With padding</source>
        <translation>Con relleno</translation>
    </message>
    <message>
        <source>The input were its padding stored</source>
        <translation>La entrada si se guardara su relleno</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Salida</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradientes</translation>
    </message>
    <message>
        <source>Of the output and of the input</source>
        <translation>De la salida y de la entrada</translation>
    </message>
    <message>
        <source>On the device</source>
        <translation>En el dispositivo</translation>
    </message>
    <message>
        <source>What an implementation holds at once</source>
        <translation>Lo que una implementación guarda a la vez</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>Ejecución completa</translation>
    </message>
    <message>
        <source>Host memory: inputs, outputs and the copy that results are compared with</source>
        <translation>Memoria del anfitrión: entradas, salidas y la copia con la que se comparan los resultados</translation>
    </message>
    <message>
        <source>choose an image</source>
        <translation>elija una imagen</translation>
    </message>
    <message>
        <source>the image is too large for a picture</source>
        <translation>la imagen es demasiado grande para mostrarla</translation>
    </message>
    <message>
        <source>choose a .npy file</source>
        <translation>elija un archivo .npy</translation>
    </message>
    <message>
        <source>a moment left</source>
        <translation>queda un momento</translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation>quedan unos %1 s</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>quedan unos %1 min</translation>
    </message>
    <message>
        <source>about %1 h left</source>
        <translation>quedan unas %1 h</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>hoy %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>ayer %1</translation>
    </message>
    <message>
        <source>single point</source>
        <translation>un solo punto</translation>
    </message>
    <message>
        <source>%1 could not be moved: %2.</source>
        <translation>No se pudo mover %1: %2.</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 no existe.</translation>
    </message>
    <message>
        <source>%1 is a folder; open a file in it.</source>
        <translation>%1 es una carpeta; abra un archivo de ella.</translation>
    </message>
    <message>
        <source>%1 may not be read.</source>
        <translation>No hay permiso para leer %1.</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1 está vacío.</translation>
    </message>
    <message>
        <source>%1 is nothing that opens here: experiments (.json), run files (.hscope), Chrome traces (.json, .json.gz), images (PNG, JPEG, BMP, PGM) and .npy arrays do.</source>
        <translation>%1 no se puede abrir aquí; sí se abren experimentos (.json), archivos de ejecución (.hscope), trazas de Chrome (.json, .json.gz), imágenes (PNG, JPEG, BMP, PGM) y matrices .npy.</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>En todas partes</translation>
    </message>
    <message>
        <source>Start, Build, Run, Timeline, Analyze, Library</source>
        <translation>Inicio, Construir, Ejecutar, Cronograma, Analizar, Biblioteca</translation>
    </message>
    <message>
        <source>Run the experiment</source>
        <translation>Ejecutar el experimento</translation>
    </message>
    <message>
        <source>Stop; finished samples are kept</source>
        <translation>Detener; las muestras terminadas se conservan</translation>
    </message>
    <message>
        <source>New pooling experiment</source>
        <translation>Nuevo experimento de pooling</translation>
    </message>
    <message>
        <source>New matrix multiplication</source>
        <translation>Nueva multiplicación de matrices</translation>
    </message>
    <message>
        <source>Open, save, save as</source>
        <translation>Abrir, guardar, guardar como</translation>
    </message>
    <message>
        <source>Undo, redo</source>
        <translation>Deshacer, rehacer</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Pantalla completa</translation>
    </message>
    <message>
        <source>Drop a file</source>
        <translation>Soltar un archivo</translation>
    </message>
    <message>
        <source>Opens experiments, runs, traces; an image or .npy becomes the pooling input</source>
        <translation>Abre experimentos, ejecuciones y trazas; una imagen o un .npy pasa a ser la entrada del pooling</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Cronograma</translation>
    </message>
    <message>
        <source>Wheel, W, S</source>
        <translation>Rueda, W, S</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>Ampliar en el puntero</translation>
    </message>
    <message>
        <source>Drag, A, D</source>
        <translation>Arrastrar, A, D</translation>
    </message>
    <message>
        <source>Move left and right</source>
        <translation>Mover a izquierda y derecha</translation>
    </message>
    <message>
        <source>Search spans</source>
        <translation>Buscar tramos</translation>
    </message>
    <message>
        <source>Analyze</source>
        <translation>Analizar</translation>
    </message>
    <message>
        <source>Export the shown chart</source>
        <translation>Exportar la gráfica mostrada</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Biblioteca</translation>
    </message>
    <message>
        <source>Open the selected run</source>
        <translation>Abrir la ejecución seleccionada</translation>
    </message>
    <message>
        <source>Move the selected run to the trash; Undo brings it back</source>
        <translation>Mover la ejecución seleccionada a la papelera; Deshacer la recupera</translation>
    </message>
    <message>
        <source>Keyboard and Mouse</source>
        <translation>Teclado y ratón</translation>
    </message>
    <message>
        <source>About Heteroscope</source>
        <translation>Acerca de Heteroscope</translation>
    </message>
    <message>
        <source>Heteroscope %1</source>
        <translation>Heteroscope %1</translation>
    </message>
    <message>
        <source>Build, run and profile heterogeneous computing experiments.&lt;br&gt;&lt;br&gt;The window is free software under the GNU General Public License 3 or later; the compute and profiling libraries and the command line are under the Apache License 2.0.&lt;br&gt;&lt;br&gt;Made with Qt %1 (LGPL 3, Qt Charts GPL 3), nlohmann-json (MIT), simdjson (Apache 2.0), zstd (BSD), libzip (BSD), stb (public domain), CLI11 (BSD) and oneDNN (Apache 2.0).&lt;br&gt;&lt;br&gt;Settings: %2</source>
        <translation>Construya, ejecute y perfile experimentos de computación heterogénea.&lt;br&gt;&lt;br&gt;La ventana es software libre bajo la Licencia Pública General de GNU, versión 3 o posterior; las bibliotecas de cálculo y de perfilado y la línea de órdenes están bajo la Licencia Apache 2.0.&lt;br&gt;&lt;br&gt;Hecho con Qt %1 (LGPL 3, Qt Charts GPL 3), nlohmann-json (MIT), simdjson (Apache 2.0), zstd (BSD), libzip (BSD), stb (dominio público), CLI11 (BSD) y oneDNN (Apache 2.0).&lt;br&gt;&lt;br&gt;Ajustes: %2</translation>
    </message>
    <message>
        <source>Everything recorded until then is kept in %1.</source>
        <translation>Todo lo grabado hasta entonces se conserva en %1.</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>La ejecución falló</translation>
    </message>
    <message>
        <source>The experiment cannot run as it is</source>
        <translation>El experimento no se puede ejecutar tal como está</translation>
    </message>
    <message>
        <source>A chosen target is not available</source>
        <translation>Un objetivo elegido no está disponible</translation>
    </message>
    <message>
        <source>Take it out of the targets in Build, or install what is missing.</source>
        <translation>Quítelo de los objetivos en Construir o instale lo que falta.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Detenido.</translation>
    </message>
    <message>
        <source>%1 does not understand this window; both must have the same version</source>
        <translation>%1 no entiende a esta ventana; ambos deben ser de la misma versión</translation>
    </message>
    <message>
        <source>The worker ended with the unknown exit code %1</source>
        <translation>El proceso de cálculo terminó con el código de salida desconocido %1</translation>
    </message>
    <message>
        <source>invalid memory access</source>
        <translation>acceso a memoria no válido</translation>
    </message>
    <message>
        <source>it gave up on an internal error</source>
        <translation>se rindió por un error interno</translation>
    </message>
    <message>
        <source>a memory error</source>
        <translation>un error de memoria</translation>
    </message>
    <message>
        <source>an arithmetic error</source>
        <translation>un error aritmético</translation>
    </message>
    <message>
        <source>an instruction this processor lacks</source>
        <translation>una instrucción que este procesador no tiene</translation>
    </message>
    <message>
        <source>asked to end by another program</source>
        <translation>otro programa le pidió terminar</translation>
    </message>
    <message>
        <source>over its processor time limit</source>
        <translation>superó su límite de tiempo de procesador</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>señal %1</translation>
    </message>
    <message>
        <source>%1 could not be started</source>
        <translation>No se pudo iniciar %1</translation>
    </message>
    <message>
        <source>Put heteroscope-cli beside this program, or name it in the variable HETEROSCOPE_CLI.</source>
        <translation>Ponga heteroscope-cli junto a este programa o indíquelo en la variable HETEROSCOPE_CLI.</translation>
    </message>
    <message>
        <source>Stopped; the worker did not end by itself and was killed.</source>
        <translation>Detenido; el proceso de cálculo no terminó por sí mismo y se lo forzó a terminar.</translation>
    </message>
    <message>
        <source> Its last line: %1.</source>
        <translation> Su última línea: %1.</translation>
    </message>
    <message>
        <source>The worker crashed: %1.</source>
        <translation>El proceso de cálculo se cayó: %1.</translation>
    </message>
    <message>
        <source>The worker was ended by %1 while computing %2.</source>
        <translation>%1 terminó el proceso de cálculo mientras calculaba %2.</translation>
    </message>
    <message>
        <source>The window is unharmed; you can run again.</source>
        <translation>La ventana no está afectada; puede ejecutar de nuevo.</translation>
    </message>
    <message>
        <source>There is nothing to export: the timeline is empty.</source>
        <translation>No hay nada que exportar: el cronograma está vacío.</translation>
    </message>
    <message>
        <source>%1: the file&apos;s name must end in .png, .svg or .pdf.</source>
        <translation>%1: el nombre del archivo debe terminar en .png, .svg o .pdf.</translation>
    </message>
    <message>
        <source>%1: the picture could not be drawn.</source>
        <translation>%1: no se pudo dibujar la imagen.</translation>
    </message>
    <message>
        <source>4..4096 *2, 1..8, 10..50 +10 or a list such as 1, 2, 4</source>
        <translation>4..4096 *2, 1..8, 10..50 +10 o una lista como 1, 2, 4</translation>
    </message>
    <message>
        <source>Network builder</source>
        <translation>Constructor de redes</translation>
    </message>
    <message>
        <source>Add a layer after the selected one</source>
        <translation>Añadir una capa tras la seleccionada</translation>
    </message>
    <message>
        <source>Arrow keys, Enter</source>
        <translation>Flechas, Intro</translation>
    </message>
    <message>
        <source>Go from layer to layer, edit its values</source>
        <translation>Ir de capa en capa, editar sus valores</translation>
    </message>
    <message>
        <source>Ctrl+Click, drag a frame</source>
        <translation>Ctrl+clic, arrastrar un marco</translation>
    </message>
    <message>
        <source>Select several layers</source>
        <translation>Seleccionar varias capas</translation>
    </message>
    <message>
        <source>Group layers, take a group apart, open or collapse it</source>
        <translation>Agrupar capas, deshacer un grupo, abrirlo o contraerlo</translation>
    </message>
    <message>
        <source>Copy, paste, duplicate layers</source>
        <translation>Copiar, pegar, duplicar capas</translation>
    </message>
    <message>
        <source>Find layers, next hit</source>
        <translation>Buscar capas, coincidencia siguiente</translation>
    </message>
    <message>
        <source>Wheel, Ctrl+Wheel</source>
        <translation>Rueda, Ctrl+rueda</translation>
    </message>
    <message>
        <source>Scroll, zoom</source>
        <translation>Desplazar, ampliar</translation>
    </message>
    <message>
        <source>%1 is a %2, not a regular file.</source>
        <translation>%1 es un %2, no un archivo normal.</translation>
    </message>
    <message>
        <source>The run file holds what was written before it failed; all results are in this window only until they are exported.</source>
        <translation>El archivo de ejecución contiene lo escrito antes de que fallara; todos los resultados están solo en esta ventana hasta que se exporten.</translation>
    </message>
    <message>
        <source>The worker was stopped, and not by this window</source>
        <translation>El proceso de cálculo fue detenido, y no por esta ventana</translation>
    </message>
    <message>
        <source>%1 cannot be created: %2; make it writable, or choose another folder for the data (environment variable HETEROSCOPE_DATA)</source>
        <translation>%1 no se puede crear: %2; permita escribir en ella o elija otra carpeta para los datos (variable de entorno HETEROSCOPE_DATA)</translation>
    </message>
    <message>
        <source>The recording failed</source>
        <translation>La grabación falló</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>Pooling</translation>
    </message>
    <message>
        <source>Matrix multiplication</source>
        <translation>Multiplicación de matrices</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
    <message>
        <source>from a person, a batch system or container at a limit, or the kernel</source>
        <translation>de una persona, de un sistema de colas o contenedor en su límite, o del núcleo</translation>
    </message>
    <message>
        <source>SIGKILL (the kernel&apos;s out-of-memory killer may have sent it)</source>
        <translation>SIGKILL (puede ser del núcleo, que mata procesos cuando falta memoria)</translation>
    </message>
    <message>
        <source>%1 cannot be opened by the window: its name holds bytes that are no UTF-8 text. Rename it, or open a link to it that has another name (ln -s). heteroscope-cli opens it as it is.</source>
        <translation>La ventana no puede abrir %1: su nombre contiene bytes que no son texto UTF-8. Cámbiele el nombre o abra un enlace a él que tenga otro nombre (ln -s). heteroscope-cli lo abre tal cual.</translation>
    </message>
    <message>
        <source>The program is there: where it lacks processes or memory, close other programs or raise their limits (ulimit -u, ulimit -v); else install it again.</source>
        <translation>El programa está ahí: si faltan procesos o memoria, cierre otros programas o eleve sus límites (ulimit -u, ulimit -v); si no, instálelo de nuevo.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::AnalyzeView</name>
    <message>
        <source>Charts</source>
        <translation>Gráficas</translation>
    </message>
    <message>
        <source>Table of all runs</source>
        <translation>Tabla de todas las ejecuciones</translation>
    </message>
    <message>
        <source>The study cannot be read</source>
        <translation>No se puede leer el estudio</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>Leyendo %1</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>Aún no hay resultados</translation>
    </message>
    <message>
        <source>Charts appear with the first samples.</source>
        <translation>Las gráficas aparecen con las primeras muestras.</translation>
    </message>
    <message>
        <source>No study is open</source>
        <translation>No hay ningún estudio abierto</translation>
    </message>
    <message>
        <source>Run an experiment, or open a stored run in Library.</source>
        <translation>Ejecute un experimento o abra una ejecución guardada en Biblioteca.</translation>
    </message>
    <message>
        <source>Charts appear when it is read.</source>
        <translation>Las gráficas aparecen cuando se haya leído.</translation>
    </message>
    <message>
        <source>Result of the study</source>
        <translation>Resultado del estudio</translation>
    </message>
    <message>
        <source>Transfers and advice</source>
        <translation>Transferencias y consejos</translation>
    </message>
    <message>
        <source>The roofline is drawn when the study has ended.</source>
        <translation>El roofline se dibuja cuando el estudio ha terminado.</translation>
    </message>
    <message>
        <source>Training and its results</source>
        <translation>Entrenamiento y sus resultados</translation>
    </message>
    <message>
        <source>These runs cannot be compared</source>
        <translation>Estas ejecuciones no se pueden comparar</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::AxesEditor</name>
    <message>
        <source>Size (m = n = k)</source>
        <translation>Tamaño (m = n = k)</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Barrido</translation>
    </message>
    <message>
        <source>&amp;Add a sweep</source>
        <translation>&amp;Añadir un barrido</translation>
    </message>
    <message>
        <source>Repeat the experiment for several values of a parameter</source>
        <translation>Repetir el experimento con varios valores de un parámetro</translation>
    </message>
    <message>
        <source>Swept parameter %1</source>
        <translation>Parámetro del barrido %1</translation>
    </message>
    <message>
        <source>Values of %1</source>
        <translation>Valores de %1</translation>
    </message>
    <message>
        <source>4..4096 *2  or  1, 2, 4</source>
        <translation>4..4096 *2  o  1, 2, 4</translation>
    </message>
    <message>
        <source>A list (1, 2, 4), a range (1..8), a range with a step (10..50 +10) or a factor (4..4096 *2)</source>
        <translation>Una lista (1, 2, 4), un rango (1..8), un rango con paso (10..50 +10) o con factor (4..4096 *2)</translation>
    </message>
    <message>
        <source>Remove this sweep</source>
        <translation>Quitar este barrido</translation>
    </message>
    <message>
        <source>Remove the sweep of %1</source>
        <translation>Quitar el barrido de %1</translation>
    </message>
    <message>
        <source>Remove sweep of %1</source>
        <translation>Quitar barrido de %1</translation>
    </message>
    <message>
        <source>1 value</source>
        <translation>1 valor</translation>
    </message>
    <message>
        <source>%n values</source>
        <translation>%n valores</translation>
    </message>
    <message>
        <source>Sweep %1 over %2</source>
        <translation>Barrer %1 sobre %2</translation>
    </message>
    <message>
        <source>Sweep %1</source>
        <translation>Barrer %1</translation>
    </message>
    <message>
        <source>Sweep %1 instead</source>
        <translation>Barrer %1 en su lugar</translation>
    </message>
    <message>
        <source>1 value of %1</source>
        <translation>1 valor de %1</translation>
    </message>
    <message>
        <source>%n values of %1</source>
        <translation>%n valores de %1</translation>
    </message>
    <message>
        <source>1 target</source>
        <translation>1 objetivo</translation>
    </message>
    <message>
        <source>%n targets</source>
        <translation>%n objetivos</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 ejecución</translation>
    </message>
    <message>
        <source>%n runs</source>
        <translation>%n ejecuciones</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::BuildForm</name>
    <message>
        <source>Kind of experiment</source>
        <translation>Tipo de experimento</translation>
    </message>
    <message>
        <source>Name of the experiment</source>
        <translation>Nombre del experimento</translation>
    </message>
    <message>
        <source>Untitled experiment</source>
        <translation>Experimento sin título</translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation>&amp;Experimento</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Nombre</translation>
    </message>
    <message>
        <source>Rename to %1</source>
        <translation>Cambiar el nombre a %1</translation>
    </message>
    <message>
        <source>Fix 1 error first</source>
        <translation>Corrija antes 1 error</translation>
    </message>
    <message>
        <source>Fix %n errors first</source>
        <translation>Corrija antes %n errores</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ejecutar</translation>
    </message>
    <message>
        <source>&amp;Run all %n runs</source>
        <translation>&amp;Ejecutar las %n ejecuciones</translation>
    </message>
    <message>
        <source>Change to %1</source>
        <translation>Cambiar a %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::CanvasPainter</name>
    <message>
        <source> · plane 1 of %1</source>
        <translation> · plano 1 de %1</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Salida</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ChartPage</name>
    <message>
        <source>Points of the chart</source>
        <translation>Puntos de la gráfica</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ChartTableModel</name>
    <message>
        <source>Series</source>
        <translation>Serie</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>Intervalo del 95 %</translation>
    </message>
    <message>
        <source>Quartiles</source>
        <translation>Cuartiles</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>n of A</source>
        <translation>n de A</translation>
    </message>
    <message>
        <source>n of B</source>
        <translation>n de B</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ConfusionMatrix</name>
    <message>
        <source>Per cent of the true class</source>
        <translation>Porcentaje de la clase real</translation>
    </message>
    <message>
        <source>Confusion matrix: rows are true classes, columns predicted ones</source>
        <translation>Matriz de confusión: las filas son las clases reales y las columnas, las predichas</translation>
    </message>
    <message>
        <source>Predicted class →, true class ↓</source>
        <translation>Clase predicha →, clase real ↓</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ConfusionModel</name>
    <message>
        <source>%1: %2 of %3 recognised</source>
        <translation>%1: %2 de %3 reconocidos</translation>
    </message>
    <message>
        <source>%1 taken for %2: %3 of %4</source>
        <translation>%1 confundido con %2: %3 de %4</translation>
    </message>
    <message>
        <source>True class: %1</source>
        <translation>Clase real: %1</translation>
    </message>
    <message>
        <source>Predicted as: %1</source>
        <translation>Predicho como: %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::DataForm</name>
    <message>
        <source>Show &amp;samples</source>
        <translation>Mostrar &amp;muestras</translation>
    </message>
    <message>
        <source>Read the data and show some examples, as they are and transformed</source>
        <translation>Leer los datos y mostrar algunos ejemplos, tal como son y transformados</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>Usar %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::DetailsPanel</name>
    <message>
        <source>Click a span, or press full stop in the rows, to see its details here.</source>
        <translation>Haga clic en un tramo, o pulse punto en las filas, para ver aquí sus detalles.</translation>
    </message>
    <message>
        <source>Details of the selected span</source>
        <translation>Detalles del tramo seleccionado</translation>
    </message>
    <message>
        <source>Property</source>
        <translation>Propiedad</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Copiar todo</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Categoría</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>Pista</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Duración</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Inicio</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Fin</translation>
    </message>
    <message>
        <source>Share of the recording</source>
        <translation>Parte de la grabación</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Carril</translation>
    </message>
    <message>
        <source>Leads to</source>
        <translation>Lleva a</translation>
    </message>
    <message>
        <source>Caused by</source>
        <translation>Causado por</translation>
    </message>
    <message>
        <source>%1 on %2, %3 after the cause ended</source>
        <translation>%1 en %2, %3 después de terminar la causa</translation>
    </message>
    <message>
        <source>Enter or double click goes there</source>
        <translation>Intro o doble clic lleva allí</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Bloques</translation>
    </message>
    <message>
        <source>Threads per block</source>
        <translation>Hilos por bloque</translation>
    </message>
    <message>
        <source>Theoretical occupancy</source>
        <translation>Ocupación teórica</translation>
    </message>
    <message>
        <source>unknown: the recording does not say what the device can hold</source>
        <translation>desconocida: la grabación no dice cuánto cabe en el dispositivo</translation>
    </message>
    <message>
        <source>unknown: by the device&apos;s limits no block fits</source>
        <translation>desconocida: según los límites del dispositivo no cabe ningún bloque</translation>
    </message>
    <message>
        <source>Blocks at once</source>
        <translation>Bloques a la vez</translation>
    </message>
    <message>
        <source>%1 on a multiprocessor, %2 on the device</source>
        <translation>%1 en un multiprocesador, %2 en el dispositivo</translation>
    </message>
    <message>
        <source>Achieved occupancy</source>
        <translation>Ocupación alcanzada</translation>
    </message>
    <message>
        <source>not counted: check Run &gt; Count Kernels on the Device, and run again</source>
        <translation>no contada: marque Ejecutar &gt; Contar los kernels en el dispositivo y ejecute de nuevo</translation>
    </message>
    <message>
        <source>Device memory</source>
        <translation>Memoria del dispositivo</translation>
    </message>
    <message>
        <source>%1, %2 read and %3 written, as counted</source>
        <translation>%1, %2 leídos y %3 escritos, según los contadores</translation>
    </message>
    <message>
        <source>fp32 operations</source>
        <translation>Operaciones fp32</translation>
    </message>
    <message>
        <source>%1, as counted</source>
        <translation>%1, según los contadores</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>%1 of the warps, as counted</source>
        <translation>%1 de los warps, según los contadores</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::DevicePage</name>
    <message>
        <source>Advice: Enter shows the place in the timeline</source>
        <translation>Consejos: Intro muestra el lugar en la línea de tiempo</translation>
    </message>
    <message>
        <source>Where the wall time of each run went</source>
        <translation>En qué se fue el tiempo real de cada ejecución</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Partes</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Consejos</translation>
    </message>
    <message>
        <source>Enter or a double click shows the place in the timeline.</source>
        <translation>Intro o un doble clic muestra el lugar en la línea de tiempo.</translation>
    </message>
    <message>
        <source>Reading the recording</source>
        <translation>Leyendo la grabación</translation>
    </message>
    <message>
        <source>Transfers, times and advice appear when it is read.</source>
        <translation>Las transferencias, los tiempos y los consejos aparecen cuando se ha leído.</translation>
    </message>
    <message>
        <source>No rule found anything.</source>
        <translation>Ninguna regla encontró nada.</translation>
    </message>
    <message>
        <source>Wall time of the traced samples on GPUs</source>
        <translation>Tiempo real de las muestras con traza en GPU</translation>
    </message>
    <message>
        <source>No work was recorded</source>
        <translation>No se registró ningún trabajo</translation>
    </message>
    <message>
        <source>Run an experiment with tracing on, or open a recording of one.</source>
        <translation>Ejecute un experimento con la traza activada o abra una grabación.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::DevicesQuery</name>
    <message>
        <source>%1 could not be started: %2. Experiments can be edited but not run.</source>
        <translation>No se pudo iniciar %1: %2. Los experimentos se pueden editar, pero no ejecutar.</translation>
    </message>
    <message>
        <source>The devices of this machine could not be listed: %1</source>
        <translation>No se pudieron listar los dispositivos de esta máquina: %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::Document</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>No se puede leer %1: %2</translation>
    </message>
    <message>
        <source>%1 is too large for an experiment (%2 bytes; at most %3 are read)</source>
        <translation>%1 es demasiado grande para ser un experimento (%2 bytes; se leen como mucho %3)</translation>
    </message>
    <message>
        <source>%1 is not an experiment: %2</source>
        <translation>%1 no es un experimento: %2</translation>
    </message>
    <message>
        <source>%1 is not an experiment: a JSON object with &quot;kind&quot; was expected</source>
        <translation>%1 no es un experimento: se esperaba un objeto JSON con &quot;kind&quot;</translation>
    </message>
    <message>
        <source>Untitled experiment</source>
        <translation>Experimento sin título</translation>
    </message>
    <message>
        <source>Restore unsaved work</source>
        <translation>Restaurar trabajo sin guardar</translation>
    </message>
    <message>
        <source>The unsaved work cannot be read and is kept: %1</source>
        <translation>El trabajo sin guardar no se puede leer y se conserva: %1</translation>
    </message>
    <message>
        <source>The unsaved work is no longer there: another window has restored or discarded it.</source>
        <translation>El trabajo sin guardar ya no está: otra ventana lo ha restaurado o descartado.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ExampleCard</name>
    <message>
        <source>Example %1 of %2, a picture of %3</source>
        <translation>Ejemplo %1 de %2, una imagen de %3</translation>
    </message>
    <message>
        <source>No example is chosen</source>
        <translation>No hay ningún ejemplo elegido</translation>
    </message>
    <message>
        <source>recognised</source>
        <translation>reconocido</translation>
    </message>
    <message>
        <source>taken for %1</source>
        <translation>tomado por %1</translation>
    </message>
    <message>
        <source>Example %1</source>
        <translation>Ejemplo %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ExamplePictures</name>
    <message>
        <source>No pictures: the run does not say which folder %1 was in.</source>
        <translation>Sin imágenes: la ejecución no dice en qué carpeta estaba %1.</translation>
    </message>
    <message>
        <source>No pictures: %1.</source>
        <translation>Sin imágenes: %1.</translation>
    </message>
    <message>
        <source>No pictures: the data have changed since the run; example %1 was of another class.</source>
        <translation>Sin imágenes: los datos han cambiado desde la ejecución; el ejemplo %1 era de otra clase.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ExportPanel</name>
    <message>
        <source>Width of the figure</source>
        <translation>Ancho de la figura</translation>
    </message>
    <message>
        <source>Height of the figure</source>
        <translation>Alto de la figura</translation>
    </message>
    <message>
        <source>Caption in the figure</source>
        <translation>Leyenda en la figura</translation>
    </message>
    <message>
        <source>Print in grey</source>
        <translation>Imprimir en gris</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportar</translation>
    </message>
    <message>
        <source>Custom size</source>
        <translation>Tamaño propio</translation>
    </message>
    <message>
        <source>Size of the figure</source>
        <translation>Tamaño de la figura</translation>
    </message>
    <message>
        <source> dpi</source>
        <translation> ppp</translation>
    </message>
    <message>
        <source>Resolution of PNG files</source>
        <translation>Resolución de los archivos PNG</translation>
    </message>
    <message>
        <source>Folder for exported files</source>
        <translation>Carpeta para los archivos exportados</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>Elegir la carpeta</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Tamaño</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Ancho</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Alto</translation>
    </message>
    <message>
        <source>PNG</source>
        <translation>PNG</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Carpeta</translation>
    </message>
    <message>
        <source>All formats</source>
        <translation>Todos los formatos</translation>
    </message>
    <message>
        <source>Other format</source>
        <translation>Otro formato</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>Exportar %1</translation>
    </message>
    <message>
        <source>Write the chart to the folder; the arrow offers the other formats (Ctrl+Shift+E)</source>
        <translation>Escribir la gráfica en la carpeta; la flecha ofrece los demás formatos (Ctrl+Mayús+E)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>Guardado %1</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Abrir carpeta</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ExtentEditor</name>
    <message>
        <source>height</source>
        <translation>alto</translation>
    </message>
    <message>
        <source>width</source>
        <translation>ancho</translation>
    </message>
    <message>
        <source>top</source>
        <translation>arriba</translation>
    </message>
    <message>
        <source>bottom</source>
        <translation>abajo</translation>
    </message>
    <message>
        <source>left</source>
        <translation>izquierda</translation>
    </message>
    <message>
        <source>right</source>
        <translation>derecha</translation>
    </message>
    <message>
        <source>same</source>
        <translation>igual</translation>
    </message>
    <message>
        <source>h × w</source>
        <translation>a × l</translation>
    </message>
    <message>
        <source>4 sides</source>
        <translation>4 lados</translation>
    </message>
    <message>
        <source>One number for both axes, or one for each</source>
        <translation>Un número para ambos ejes o uno para cada uno</translation>
    </message>
    <message>
        <source>%1: one number or several</source>
        <translation>%1: un número o varios</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automático</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::FigureView</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 at %2: %3</source>
        <translation>%1 en %2: %3</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Gráfica</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::FormField</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 a %2</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 o más</translation>
    </message>
    <message>
        <source>Sweep: %1</source>
        <translation>Barrido: %1</translation>
    </message>
    <message>
        <source>Clear %1</source>
        <translation>Borrar %1</translation>
    </message>
    <message>
        <source>Turn on %1</source>
        <translation>Activar %1</translation>
    </message>
    <message>
        <source>Turn off %1</source>
        <translation>Desactivar %1</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>Poner %1 en %2</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>Usar %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::GpuStatus</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %2 %</translation>
    </message>
    <message>
        <source>held back</source>
        <translation>frenada</translation>
    </message>
    <message>
        <source>a kernel runs %1 % of the time</source>
        <translation>un kernel se ejecuta el %1 % del tiempo</translation>
    </message>
    <message>
        <source>memory in use: %1</source>
        <translation>memoria en uso: %1</translation>
    </message>
    <message>
        <source>power: %1 W</source>
        <translation>potencia: %1 W</translation>
    </message>
    <message>
        <source>temperature: %1 °C</source>
        <translation>temperatura: %1 °C</translation>
    </message>
    <message>
        <source>clock: %1 MHz</source>
        <translation>reloj: %1 MHz</translation>
    </message>
    <message>
        <source>clocks held back for %1 so far, last by: %2</source>
        <translation>relojes frenados durante %1 hasta ahora, la última vez por: %2</translation>
    </message>
    <message>
        <source>The last values: no new ones came for %1 s. Devices are watched in the part of a run that is recorded.</source>
        <translation>Los últimos valores: hace %1 s que no llegan nuevos. Los dispositivos se observan en la parte grabada de una ejecución.</translation>
    </message>
    <message>
        <source>the clocks are held back now; the timeline says why when it ends</source>
        <translation>los relojes están frenados ahora; el cronograma dice por qué al terminar</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::GroupInspector</name>
    <message>
        <source>Group of layers</source>
        <translation>Grupo de capas</translation>
    </message>
    <message>
        <source>Show as one box</source>
        <translation>Mostrar como una sola caja</translation>
    </message>
    <message>
        <source>Name of the group</source>
        <translation>Nombre del grupo</translation>
    </message>
    <message>
        <source>Take the group apart</source>
        <translation>Deshacer el grupo</translation>
    </message>
    <message>
        <source>Its layers stay (Ctrl+Shift+G)</source>
        <translation>Sus capas se quedan (Ctrl+Mayús+G)</translation>
    </message>
    <message>
        <source>Rename group to %1</source>
        <translation>Cambiar el nombre del grupo a %1</translation>
    </message>
    <message>
        <source>Collapse group</source>
        <translation>Contraer el grupo</translation>
    </message>
    <message>
        <source>Open group</source>
        <translation>Abrir el grupo</translation>
    </message>
    <message>
        <source>Take group apart</source>
        <translation>Deshacer el grupo</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::HeatChooser</name>
    <message>
        <source>Forward time on %1</source>
        <translation>Tiempo hacia adelante en %1</translation>
    </message>
    <message>
        <source>Backward time on %1</source>
        <translation>Tiempo hacia atrás en %1</translation>
    </message>
    <message>
        <source>What the layers are coloured by</source>
        <translation>Según qué se colorean las capas</translation>
    </message>
    <message>
        <source>Colour the layers by memory, or by their time in the run that is open</source>
        <translation>Colorear las capas según su memoria o según su tiempo en la ejecución abierta</translation>
    </message>
    <message>
        <source>No colours</source>
        <translation>Sin colores</translation>
    </message>
    <message>
        <source>Memory of outputs</source>
        <translation>Memoria de las salidas</translation>
    </message>
    <message>
        <source>Memory of parameters</source>
        <translation>Memoria de los parámetros</translation>
    </message>
    <message>
        <source>Colour the layers by memory. No layer here computes what one of the open run did: run this network to colour it by times.</source>
        <translation>Colorear las capas por memoria. Ninguna capa de aquí calcula lo mismo que una de la ejecución abierta: ejecute esta red para colorearla por tiempos.</translation>
    </message>
    <message>
        <source>Colour the layers by memory. Run the network, or open a run of it, to colour it by times.</source>
        <translation>Colorear las capas por memoria. Ejecute la red, o abra una ejecución de ella, para colorearla por tiempos.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::HintPanel</name>
    <message>
        <source>Build an experiment</source>
        <translation>Construir un experimento</translation>
    </message>
    <message>
        <source>Every field explains itself here. Change one and watch the picture.</source>
        <translation>Cada campo se explica aquí. Cambie uno y observe la imagen.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ImagePair</name>
    <message>
        <source>The image and its pooled result</source>
        <translation>La imagen y su resultado tras el pooling</translation>
    </message>
    <message>
        <source>Click to see the pixels there</source>
        <translation>Haga clic para ver los píxeles de ese lugar</translation>
    </message>
    <message>
        <source>Pooling…</source>
        <translation>Calculando…</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>Pooled</source>
        <translation>Tras el pooling</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ImplementationsDialog</name>
    <message>
        <source>Implementations</source>
        <translation>Implementaciones</translation>
    </message>
    <message>
        <source>What computes each operation. Open a row for what else could and why it is not taken; double-click an implementation to ask for it, again to leave it out.</source>
        <translation>Qué calcula cada operación. Abra una fila para ver qué más podría hacerlo y por qué no se toma; con doble clic se pide una implementación, y otra vez para dejar de pedirla.</translation>
    </message>
    <message>
        <source>Point of the sweep</source>
        <translation>Punto del barrido</translation>
    </message>
    <message>
        <source>Operations and their implementations</source>
        <translation>Operaciones y sus implementaciones</translation>
    </message>
    <message>
        <source>Copy as Text</source>
        <translation>Copiar como texto</translation>
    </message>
    <message>
        <source>As the experiment is, nothing can be said: %1</source>
        <translation>Tal como está el experimento no se puede decir nada: %1</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>Preguntando…</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operación</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Capa</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Fase</translation>
    </message>
    <message>
        <source>as part of another</source>
        <translation>como parte de otra</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>no disponible</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ninguna</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Set impl of %1 to %2</source>
        <translation>Poner impl de %1 en %2</translation>
    </message>
    <message>
        <source>default</source>
        <translation>predeterminado</translation>
    </message>
    <message>
        <source>Nothing that the target asks for can compute this. Open the row and double-click one that can, beside it.</source>
        <translation>Nada de lo que pide el destino puede calcular esto. Abra la fila y haga doble clic en una que pueda, además.</translation>
    </message>
    <message>
        <source>no copy</source>
        <translation>sin copia</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ImplementationsQuery</name>
    <message>
        <source>%1 could not be started: %2.</source>
        <translation>No se pudo iniciar %1: %2.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::InputForm</name>
    <message>
        <source>&amp;Random</source>
        <translation>&amp;Aleatoria</translation>
    </message>
    <message>
        <source>&amp;Typed</source>
        <translation>&amp;Escrita</translation>
    </message>
    <message>
        <source>&amp;Image</source>
        <translation>&amp;Imagen</translation>
    </message>
    <message>
        <source>N&amp;umPy</source>
        <translation>N&amp;umPy</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>Click a cell in the picture and type. Paste fills a block; the buttons above the matrix add and remove rows and columns.</source>
        <translation>Haga clic en una celda de la imagen y escriba. Pegar rellena un bloque; los botones sobre la matriz añaden y quitan filas y columnas.</translation>
    </message>
    <message>
        <source>Change input to %1</source>
        <translation>Cambiar la entrada a %1</translation>
    </message>
    <message>
        <source>Use file %1</source>
        <translation>Usar el archivo %1</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>Matrices de NumPy (*.npy)</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.jpeg *.bmp *.pgm *.ppm)</source>
        <translation>Imágenes (*.png *.jpg *.jpeg *.bmp *.pgm *.ppm)</translation>
    </message>
    <message>
        <source>Choose the input</source>
        <translation>Elegir la entrada</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::InspectorPanel</name>
    <message>
        <source>Details of the study</source>
        <translation>Detalles del estudio</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Estudio</translation>
    </message>
    <message>
        <source>Run an experiment or open a run file.</source>
        <translation>Ejecute un experimento o abra un archivo de ejecución.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Comienzo</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programa</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Ejecuciones</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>Tramos</translation>
    </message>
    <message>
        <source>Data quality</source>
        <translation>Calidad de los datos</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Grabación</translation>
    </message>
    <message>
        <source>Dropped events</source>
        <translation>Eventos perdidos</translation>
    </message>
    <message>
        <source>Without time</source>
        <translation>Sin tiempo</translation>
    </message>
    <message>
        <source>Out of order</source>
        <translation>Desordenados</translation>
    </message>
    <message>
        <source>Clipped</source>
        <translation>Recortados</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Entorno</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experimento</translation>
    </message>
    <message>
        <source>Before their cause</source>
        <translation>Antes de su causa</translation>
    </message>
    <message>
        <source>%1 of %2 pairs</source>
        <translation>%1 de %2 pares</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::KeyHelp</name>
    <message>
        <source>Keys of the timeline</source>
        <translation>Teclas del cronograma</translation>
    </message>
    <message>
        <source>Wheel, W / S, + / −</source>
        <translation>Rueda, W / S, + / −</translation>
    </message>
    <message>
        <source>Zoom at the cursor</source>
        <translation>Ampliar en el cursor</translation>
    </message>
    <message>
        <source>Drag, A / D, ← / →, Shift+wheel</source>
        <translation>Arrastrar, A / D, ← / →, Mayús+rueda</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>Mover en el tiempo</translation>
    </message>
    <message>
        <source>Ctrl+wheel, ↑ / ↓, Page Up / Down</source>
        <translation>Ctrl+rueda, ↑ / ↓, Re Pág / Av Pág</translation>
    </message>
    <message>
        <source>Scroll the rows</source>
        <translation>Desplazar las filas</translation>
    </message>
    <message>
        <source>Shift with a key</source>
        <translation>Mayús con una tecla</translation>
    </message>
    <message>
        <source>Small steps</source>
        <translation>Pasos pequeños</translation>
    </message>
    <message>
        <source>Shift+drag, or drag in the ruler</source>
        <translation>Mayús+arrastrar, o arrastrar en la regla</translation>
    </message>
    <message>
        <source>Choose a range; its statistics stand below</source>
        <translation>Elegir un rango; sus estadísticas están debajo</translation>
    </message>
    <message>
        <source>Double click, F</source>
        <translation>Doble clic, F</translation>
    </message>
    <message>
        <source>Zoom to the span or the range</source>
        <translation>Ampliar al tramo o al rango</translation>
    </message>
    <message>
        <source>Home or 0, End</source>
        <translation>Inicio o 0, Fin</translation>
    </message>
    <message>
        <source>Show everything, follow the end</source>
        <translation>Mostrar todo, seguir el final</translation>
    </message>
    <message>
        <source>, / .  or  Shift+Tab / Tab</source>
        <translation>, / .  o  Mayús+Tab / Tab</translation>
    </message>
    <message>
        <source>Previous and next span of the row</source>
        <translation>Tramo anterior y siguiente de la fila</translation>
    </message>
    <message>
        <source>↑ / ↓ with a span selected</source>
        <translation>↑ / ↓ con un tramo seleccionado</translation>
    </message>
    <message>
        <source>Span above and below</source>
        <translation>Tramo de arriba y de abajo</translation>
    </message>
    <message>
        <source>M, N, P</source>
        <translation>M, N, P</translation>
    </message>
    <message>
        <source>Range from the span, note, pin its track</source>
        <translation>Rango del tramo, nota, fijar su pista</translation>
    </message>
    <message>
        <source>Ctrl+F, Enter, F3, Shift+F3</source>
        <translation>Ctrl+F, Intro, F3, Mayús+F3</translation>
    </message>
    <message>
        <source>Search, next and previous hit</source>
        <translation>Buscar, coincidencia siguiente y anterior</translation>
    </message>
    <message>
        <source>Ctrl+P</source>
        <translation>Ctrl+P</translation>
    </message>
    <message>
        <source>Filter tracks</source>
        <translation>Filtrar pistas</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Clear range, then selection, then search</source>
        <translation>Quitar el rango, luego la selección, luego la búsqueda</translation>
    </message>
    <message>
        <source>Ctrl+T</source>
        <translation>Ctrl+T</translation>
    </message>
    <message>
        <source>Transfers in the range</source>
        <translation>Transferencias en el intervalo</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::LayerInspector</name>
    <message>
        <source>Layer</source>
        <translation>Capa</translation>
    </message>
    <message>
        <source>The input&apos;s shape is set below.</source>
        <translation>La forma de la entrada se fija más abajo.</translation>
    </message>
    <message>
        <source>Click a layer of the network to see and change its values.</source>
        <translation>Haga clic en una capa de la red para ver y cambiar sus valores.</translation>
    </message>
    <message>
        <source>Name of the layer</source>
        <translation>Nombre de la capa</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>Rename layer to %1</source>
        <translation>Cambiar el nombre de la capa a %1</translation>
    </message>
    <message>
        <source>Layer that input %1 reads</source>
        <translation>Capa que lee la entrada %1</translation>
    </message>
    <message>
        <source>Reads (%1)</source>
        <translation>Lee (%1)</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>Lee</translation>
    </message>
    <message>
        <source>Read %1</source>
        <translation>Leer %1</translation>
    </message>
    <message>
        <source>Add an input</source>
        <translation>Añadir una entrada</translation>
    </message>
    <message>
        <source>Remove the last input</source>
        <translation>Quitar la última entrada</translation>
    </message>
    <message>
        <source>Remove an input</source>
        <translation>Quitar una entrada</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::LayerPalette</name>
    <message>
        <source>Search layers</source>
        <translation>Buscar capas</translation>
    </message>
    <message>
        <source>Add a layer (Insert)</source>
        <translation>Añadir capa (Insert)</translation>
    </message>
    <message>
        <source>Type a part of a name; Return inserts the first match after the selected layer</source>
        <translation>Escriba parte de un nombre; Intro inserta la primera coincidencia tras la capa seleccionada</translation>
    </message>
    <message>
        <source>Layers that can be added</source>
        <translation>Capas que se pueden añadir</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::LayerTable</name>
    <message>
        <source>95 % interval of the median %1, %2 passes</source>
        <translation>Intervalo del 95 % de la mediana %1, %2 pasadas</translation>
    </message>
    <message>
        <source>%1 passes: too few for an interval</source>
        <translation>%1 pasadas: muy pocas para un intervalo</translation>
    </message>
    <message>
        <source>Times of layers by target</source>
        <translation>Tiempos de las capas por objetivo</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::LibraryModel</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Tags and notes of %1 could not be saved: %2.</source>
        <translation>No se pudieron guardar las etiquetas y notas de %1: %2.</translation>
    </message>
    <message>
        <source>Double-click a cell to edit it; tags are separated by commas</source>
        <translation>Haga doble clic en una celda para editarla; las etiquetas se separan con comas</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Comienzo</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Objetivos</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Puntos</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Máquina</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Etiquetas</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>%1, against the reference</source>
        <translation>%1, frente a la referencia</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Aceleración</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::LibraryView</name>
    <message>
        <source>Reading %1 of %2…</source>
        <translation>Leyendo %1 de %2…</translation>
    </message>
    <message>
        <source>Search names, targets, tags, notes</source>
        <translation>Buscar nombres, objetivos, etiquetas, notas</translation>
    </message>
    <message>
        <source>Search the library</source>
        <translation>Buscar en la biblioteca</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparar</translation>
    </message>
    <message>
        <source>Edit Experiment</source>
        <translation>Editar experimento</translation>
    </message>
    <message>
        <source>Start a new experiment from the one that this run holds</source>
        <translation>Empezar un experimento nuevo a partir del que contiene esta ejecución</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
    <message>
        <source>Stored runs</source>
        <translation>Ejecuciones guardadas</translation>
    </message>
    <message>
        <source>Reading the library…</source>
        <translation>Leyendo la biblioteca…</translation>
    </message>
    <message>
        <source>No stored runs yet</source>
        <translation>Aún no hay ejecuciones guardadas</translation>
    </message>
    <message>
        <source>Every run is stored in %1 and appears here.</source>
        <translation>Cada ejecución se guarda en %1 y aparece aquí.</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Nada coincide</translation>
    </message>
    <message>
        <source>No stored run contains all words of “%1”.</source>
        <translation>Ninguna ejecución guardada contiene todas las palabras de «%1».</translation>
    </message>
    <message>
        <source>0 of %1 runs</source>
        <translation>0 de %1 ejecuciones</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 ejecución</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 ejecuciones</translation>
    </message>
    <message>
        <source>1 run moved to the trash.</source>
        <translation>1 ejecución movida a la papelera.</translation>
    </message>
    <message>
        <source>%1 runs moved to the trash.</source>
        <translation>%1 ejecuciones movidas a la papelera.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>Ctrl+click a second run to compare</source>
        <translation>Ctrl+clic en otra para comparar</translation>
    </message>
    <message>
        <source>Choose an Experiment</source>
        <translation>Elegir un experimento</translation>
    </message>
    <message>
        <source>Select two runs to compare</source>
        <translation>Seleccione dos para comparar</translation>
    </message>
    <message>
        <source>Compare two selected runs, or pairs of runs that took turns: A B A B A B</source>
        <translation>Compara dos ejecuciones seleccionadas, o pares de ejecuciones que se turnaron: A B A B A B</translation>
    </message>
    <message>
        <source>%1 selected runs are neither two nor whole pairs, three or more. Select two runs, or 6, 8, … runs in which A and B took turns.</source>
        <translation>%1 ejecuciones seleccionadas no son ni dos ni pares completos, tres o más. Seleccione dos ejecuciones, o 6, 8, … en las que A y B se turnaron.</translation>
    </message>
    <message>
        <source>Pairs: A B A B A B</source>
        <translation>Pares: A B A B A B</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::LibraryWorker</name>
    <message>
        <source>The library&apos;s index cannot be kept (%1); every look at the folder reads all files.</source>
        <translation>No se puede mantener el índice de la biblioteca (%1); cada consulta de la carpeta lee todos los archivos.</translation>
    </message>
    <message>
        <source>Another program is using the library&apos;s index: it was waited for %1 seconds. Nothing in it was changed; run files are read one by one meanwhile. Close the other window, or look again later.</source>
        <translation>Otro programa está usando el índice de la biblioteca: se le esperó %1 segundos. No se cambió nada en él; mientras tanto los archivos de ejecución se leen uno por uno. Cierre la otra ventana o mire de nuevo más tarde.</translation>
    </message>
    <message>
        <source>The library&apos;s index could not be used (%1). It was set aside as %2 and is built anew from the run files.</source>
        <translation>No se pudo usar el índice de la biblioteca (%1). Se apartó como %2 y se construye de nuevo a partir de los archivos de ejecución.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::LogList</name>
    <message>
        <source>Messages of the worker appear here.</source>
        <translation>Aquí aparecen los mensajes del proceso de cálculo.</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Registro</translation>
    </message>
    <message>
        <source>Error: </source>
        <translation>Error: </translation>
    </message>
    <message>
        <source>Warning: </source>
        <translation>Aviso: </translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::MainWindow</name>
    <message>
        <source>%1[*] – Heteroscope</source>
        <translation>%1[*] – Heteroscope</translation>
    </message>
    <message>
        <source>Heteroscope</source>
        <translation>Heteroscope</translation>
    </message>
    <message>
        <source>The experiment has problems; see the list of problems.</source>
        <translation>El experimento tiene problemas; vea la lista de problemas.</translation>
    </message>
    <message>
        <source>Worker idle</source>
        <translation>Proceso inactivo</translation>
    </message>
    <message>
        <source>Worker running</source>
        <translation>Proceso en marcha</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>Demostración</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>Cerrar %1</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspector</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Problemas</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Registro</translation>
    </message>
    <message>
        <source>Use %1 as Input</source>
        <translation>Usar %1 como entrada</translation>
    </message>
    <message>
        <source>Restore It</source>
        <translation>Restaurarlo</translation>
    </message>
    <message>
        <source>Discard It</source>
        <translation>Descartarlo</translation>
    </message>
    <message>
        <source>Save As…</source>
        <translation>Guardar como…</translation>
    </message>
    <message>
        <source>Save Experiment</source>
        <translation>Guardar experimento</translation>
    </message>
    <message>
        <source>Experiments (*.json)</source>
        <translation>Experimentos (*.json)</translation>
    </message>
    <message>
        <source>Save the changes to “%1”?</source>
        <translation>¿Guardar los cambios de «%1»?</translation>
    </message>
    <message>
        <source>Without saving they are lost.</source>
        <translation>Si no se guardan, se pierden.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Guardar</translation>
    </message>
    <message>
        <source>Close Without Saving</source>
        <translation>Cerrar sin guardar</translation>
    </message>
    <message>
        <source>Reading the experiment of %1</source>
        <translation>Leyendo el experimento de %1</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Escrito: %1</translation>
    </message>
    <message>
        <source>Show in Folder</source>
        <translation>Mostrar en la carpeta</translation>
    </message>
    <message>
        <source>Export Results</source>
        <translation>Exportar resultados</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export Samples</source>
        <translation>Exportar muestras</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export Trace</source>
        <translation>Exportar traza</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Traza de Chrome (*.json)</translation>
    </message>
    <message>
        <source>Export Timeline</source>
        <translation>Exportar cronograma</translation>
    </message>
    <message>
        <source>PDF (*.pdf);;SVG (*.svg);;PNG (*.png)</source>
        <translation>PDF (*.pdf);;SVG (*.svg);;PNG (*.png)</translation>
    </message>
    <message>
        <source>Folder of the Report</source>
        <translation>Carpeta del informe</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Archivo</translation>
    </message>
    <message>
        <source>&amp;New Pooling Experiment</source>
        <translation>&amp;Nuevo experimento de pooling</translation>
    </message>
    <message>
        <source>Untitled pooling</source>
        <translation>Pooling sin título</translation>
    </message>
    <message>
        <source>New &amp;Matrix Multiplication</source>
        <translation>Nueva &amp;multiplicación de matrices</translation>
    </message>
    <message>
        <source>Untitled multiplication</source>
        <translation>Multiplicación sin título</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>A&amp;brir…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Experiments, runs and traces (*.json *.hscope *.json.gz);;All files (*)</source>
        <translation>Experimentos, ejecuciones y trazas (*.json *.hscope *.json.gz);;Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>Abrir &amp;reciente</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Guardar</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>Guardar &amp;como…</translation>
    </message>
    <message>
        <source>&amp;Import Trace…</source>
        <translation>&amp;Importar traza…</translation>
    </message>
    <message>
        <source>Import Trace</source>
        <translation>Importar traza</translation>
    </message>
    <message>
        <source>Chrome traces (*.json *.json.gz);;All files (*)</source>
        <translation>Trazas de Chrome (*.json *.json.gz);;Todos los archivos (*)</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportar</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Salir</translation>
    </message>
    <message>
        <source>Results as &amp;JSON…</source>
        <translation>Resultados en &amp;JSON…</translation>
    </message>
    <message>
        <source>Results as &amp;CSV…</source>
        <translation>Resultados en &amp;CSV…</translation>
    </message>
    <message>
        <source>&amp;Report with All Figures…</source>
        <translation>&amp;Informe con todas las figuras…</translation>
    </message>
    <message>
        <source>&amp;Timeline as Picture…</source>
        <translation>C&amp;ronograma como imagen…</translation>
    </message>
    <message>
        <source>Timeline as Chrome &amp;Trace…</source>
        <translation>Cronograma como &amp;traza de Chrome…</translation>
    </message>
    <message>
        <source>No Recent Files</source>
        <translation>No hay archivos recientes</translation>
    </message>
    <message>
        <source>Clear This List</source>
        <translation>Vaciar esta lista</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Editar</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Deshacer</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Rehacer</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ver</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Colores</translation>
    </message>
    <message>
        <source>Like the &amp;System</source>
        <translation>Como el &amp;sistema</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Claro</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Oscuro</translation>
    </message>
    <message>
        <source>L&amp;anguage</source>
        <translation>&amp;Idioma</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>&amp;Restablecer disposición</translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation>&amp;Pantalla completa</translation>
    </message>
    <message>
        <source>The language changes when Heteroscope is started again.</source>
        <translation>El idioma cambia al iniciar Heteroscope de nuevo.</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ejecutar</translation>
    </message>
    <message>
        <source>&amp;Run Experiment</source>
        <translation>&amp;Ejecutar experimento</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Detener</translation>
    </message>
    <message>
        <source>Look for &amp;Devices Again</source>
        <translation>Buscar &amp;dispositivos de nuevo</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>A&amp;yuda</translation>
    </message>
    <message>
        <source>&amp;Keyboard and Mouse</source>
        <translation>&amp;Teclado y ratón</translation>
    </message>
    <message>
        <source>&amp;About Heteroscope</source>
        <translation>&amp;Acerca de Heteroscope</translation>
    </message>
    <message>
        <source>Open a Recorded Run</source>
        <translation>Abrir una ejecución grabada</translation>
    </message>
    <message>
        <source>Run files and traces (*.hscope *.json *.json.gz)</source>
        <translation>Archivos de ejecución y trazas (*.hscope *.json *.json.gz)</translation>
    </message>
    <message>
        <source>Run an experiment, or open a run file or a Chrome trace, to see where its time goes.</source>
        <translation>Ejecute un experimento, o abra un archivo de ejecución o una traza de Chrome, para ver en qué se va el tiempo.</translation>
    </message>
    <message>
        <source>A run is under way; its views would be replaced by %1.</source>
        <translation>Hay una ejecución en curso; %1 reemplazaría sus vistas.</translation>
    </message>
    <message>
        <source>Stop and Open</source>
        <translation>Detener y abrir</translation>
    </message>
    <message>
        <source>A run is under way; compare when it has ended.</source>
        <translation>Hay una ejecución en curso; compare cuando haya terminado.</translation>
    </message>
    <message>
        <source>Run finished: %1</source>
        <translation>Ejecución terminada: %1</translation>
    </message>
    <message>
        <source>Worker done</source>
        <translation>Proceso terminado</translation>
    </message>
    <message>
        <source>Worker stopped</source>
        <translation>Proceso detenido</translation>
    </message>
    <message>
        <source>Worker failed</source>
        <translation>Proceso fallido</translation>
    </message>
    <message>
        <source>Show the Run</source>
        <translation>Mostrar la ejecución</translation>
    </message>
    <message>
        <source>Run the Experiment</source>
        <translation>Ejecutar el experimento</translation>
    </message>
    <message>
        <source>Open a Recorded Run…</source>
        <translation>Abrir una ejecución grabada…</translation>
    </message>
    <message>
        <source>&amp;Count Kernels on the Device</source>
        <translation>&amp;Contar los kernels en el dispositivo</translation>
    </message>
    <message>
        <source>After a study on a GPU, each operation runs once more on the device&apos;s own counters: achieved occupancy, memory traffic and operations of each kernel</source>
        <translation>Tras un estudio en una GPU, cada operación se ejecuta una vez más con los contadores del dispositivo: ocupación alcanzada, tráfico de memoria y operaciones de cada kernel</translation>
    </message>
    <message>
        <source>New Net&amp;work</source>
        <translation>Nueva &amp;red</translation>
    </message>
    <message>
        <source>Untitled network</source>
        <translation>Red sin título</translation>
    </message>
    <message>
        <source>The experiment cannot run: %1</source>
        <translation>El experimento no se puede ejecutar: %1</translation>
    </message>
    <message>
        <source>%1 is a recording; only experiments (.json) run.</source>
        <translation>%1 es una grabación; solo se ejecutan experimentos (.json).</translation>
    </message>
    <message>
        <source>Discard the Changes</source>
        <translation>Descartar los cambios</translation>
    </message>
    <message>
        <source>Heteroscope ended unexpectedly; unsaved work was found: “%1”, last changed %2.</source>
        <translation>Heteroscope terminó de forma inesperada; se encontró trabajo sin guardar: «%1», cambiado por última vez el %2.</translation>
    </message>
    <message>
        <source>%1 older ones are offered after it.</source>
        <translation>Después se ofrecen %1 más antiguos.</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was opened or saved here.</source>
        <translation>Otro programa cambió %1 desde que se abrió o se guardó aquí.</translation>
    </message>
    <message>
        <source>Writing over it loses those changes.</source>
        <translation>Si se sobrescribe, esos cambios se pierden.</translation>
    </message>
    <message>
        <source>Write Over It</source>
        <translation>Sobrescribirlo</translation>
    </message>
    <message>
        <source>%1 was changed by another program; what is shown and runs here is the earlier version.</source>
        <translation>Otro programa cambió %1; lo que aquí se muestra y se ejecuta es la versión anterior.</translation>
    </message>
    <message>
        <source>Open the Changed File</source>
        <translation>Abrir el archivo cambiado</translation>
    </message>
    <message>
        <source>Recover &amp;Unsaved Work</source>
        <translation>Recuperar trabajo sin g&amp;uardar</translation>
    </message>
    <message>
        <source>No unsaved work of an earlier start is left.</source>
        <translation>No queda trabajo sin guardar de un inicio anterior.</translation>
    </message>
    <message>
        <source>Export the Samples…</source>
        <translation>Exportar las muestras…</translation>
    </message>
    <message>
        <source>Export the Results…</source>
        <translation>Exportar los resultados…</translation>
    </message>
    <message>
        <source>%1. The run goes on; what it measures is in this window only.</source>
        <translation>%1. La ejecución continúa; lo que mide está solo en esta ventana.</translation>
    </message>
    <message>
        <source>The recording of “%1” could not be written as a whole.</source>
        <translation>La grabación de «%1» no se pudo escribir entera.</translation>
    </message>
    <message>
        <source>%1. Its results are in this window only.</source>
        <translation>%1. Sus resultados están solo en esta ventana.</translation>
    </message>
    <message>
        <source>Drop Them</source>
        <translation>Descartarlos</translation>
    </message>
    <message>
        <source>An older one is offered after it.</source>
        <translation>Después se ofrece otro más antiguo.</translation>
    </message>
    <message>
        <source>Discard the unsaved work on “%1”, last changed %2?</source>
        <translation>¿Descartar el trabajo sin guardar en «%1», modificado por última vez el %2?</translation>
    </message>
    <message>
        <source>There is no other copy of it.</source>
        <translation>No hay ninguna otra copia.</translation>
    </message>
    <message>
        <source>Keep It</source>
        <translation>Conservarlo</translation>
    </message>
    <message>
        <source>A run is in progress. Stop it and close?</source>
        <translation>Hay una ejecución en curso. ¿Detenerla y cerrar?</translation>
    </message>
    <message>
        <source>Stop and Close</source>
        <translation>Detener y cerrar</translation>
    </message>
    <message>
        <source>Keep Running</source>
        <translation>Seguir ejecutando</translation>
    </message>
    <message>
        <source>&amp;Implementations…</source>
        <translation>&amp;Implementaciones…</translation>
    </message>
    <message>
        <source>What computes each operation of the experiment on each target</source>
        <translation>Qué calcula cada operación del experimento en cada destino</translation>
    </message>
    <message>
        <source>Unsaved work that cannot be read now is kept: %1. A start with a larger --memory-limit offers it.</source>
        <translation>El trabajo sin guardar que ahora no se puede leer se conserva: %1. Un inicio con un --memory-limit mayor lo ofrece.</translation>
    </message>
    <message>
        <source>Recording failed</source>
        <translation>Grabación fallida</translation>
    </message>
    <message>
        <source>The measurement was ended, because a study was started. Measure again when nothing runs.</source>
        <translation>La medición terminó porque se inició un estudio. Mida de nuevo cuando no se ejecute nada.</translation>
    </message>
    <message>
        <source>Wait for a quiet machine</source>
        <translation>Esperar a que la máquina esté tranquila</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::MatmulCanvas</name>
    <message>
        <source>Picture of the matrix multiplication</source>
        <translation>Imagen de la multiplicación de matrices</translation>
    </message>
    <message>
        <source>Arrows or a click choose an element of C; its row of A and column of B are marked</source>
        <translation>Las flechas o un clic eligen un elemento de C; se marcan su fila de A y su columna de B</translation>
    </message>
    <message>
        <source>Row %1 of A and column %2 of B give one element of C</source>
        <translation>La fila %1 de A y la columna %2 de B dan un elemento de C</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B = identity</source>
        <translation>B = identidad</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::MatmulPicture</name>
    <message>
        <source>Work</source>
        <translation>Trabajo</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memoria</translation>
    </message>
    <message>
        <source>The picture shows the last experiment that could be drawn: %1.</source>
        <translation>La imagen muestra el último experimento que se pudo dibujar: %1.</translation>
    </message>
    <message>
        <source>Each element of C is a row of A times a column of B: %1 products added up, %2 times.</source>
        <translation>Cada elemento de C es una fila de A por una columna de B: %1 productos sumados, %2 veces.</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operaciones</translation>
    </message>
    <message>
        <source>2 · %1 · %2 · %3 = %4</source>
        <translation>2 · %1 · %2 · %3 = %4</translation>
    </message>
    <message>
        <source>A multiplication and an addition count as two</source>
        <translation>Una multiplicación y una suma cuentan como dos</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>Bytes movidos</translation>
    </message>
    <message>
        <source>Each input read once, the result written once: the fewest possible</source>
        <translation>Cada entrada leída una vez, el resultado escrito una vez: lo mínimo posible</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>Intensidad aritmética</translation>
    </message>
    <message>
        <source>%1 operations a byte</source>
        <translation>%1 operaciones por byte</translation>
    </message>
    <message>
        <source>High: the arithmetic limits the speed. Low: the memory does.</source>
        <translation>Alta: la aritmética limita la velocidad. Baja: la limita la memoria.</translation>
    </message>
    <message>
        <source>A and B</source>
        <translation>A y B</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>On the device</source>
        <translation>En el dispositivo</translation>
    </message>
    <message>
        <source>What an implementation holds at once</source>
        <translation>Lo que una implementación guarda a la vez</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>Ejecución completa</translation>
    </message>
    <message>
        <source>Host memory: inputs, result and the copy that results are compared with</source>
        <translation>Memoria del anfitrión: entradas, resultado y la copia con la que se comparan los resultados</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>Cerrar este mensaje</translation>
    </message>
    <message>
        <source>Close message</source>
        <translation>Cerrar mensaje</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::MiniTimeline</name>
    <message>
        <source>Events appear here while an experiment runs.</source>
        <translation>Aquí aparecen los eventos mientras se ejecuta un experimento.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::Minimap</name>
    <message>
        <source>Overview of the whole recording</source>
        <translation>Vista general de toda la grabación</translation>
    </message>
    <message>
        <source>Drag the frame to move, its edges to zoom; drag elsewhere to choose a new window.</source>
        <translation>Arrastre el marco para moverlo, sus bordes para ampliar; arrastre en otro lugar para elegir una ventana nueva.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ModeBar</name>
    <message>
        <source>Start</source>
        <translation>Inicio</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Construir</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ejecutar</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Cronograma</translation>
    </message>
    <message>
        <source>Analyze</source>
        <translation>Analizar</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Biblioteca</translation>
    </message>
    <message>
        <source>Mode %1</source>
        <translation>Modo %1</translation>
    </message>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation>%1 (Ctrl+%2)</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::NameStatisticsModel</name>
    <message>
        <source>Sum of the durations inside, divided by %1. Nested spans and parallel tracks count each, so the column may add up to more than 100 %. By track: the time in which a track is busy at all.</source>
        <translation>Suma de las duraciones dentro, dividida entre %1. Los tramos anidados y las pistas paralelas cuentan cada uno, así que la columna puede sumar más del 100 %. Por pista: el tiempo en que una pista está ocupada.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Categoría</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Número</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Total</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Media</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>Mín.</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>Máx.</translation>
    </message>
    <message>
        <source>Total / %1</source>
        <translation>Total / %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::NetworkCanvas</name>
    <message>
        <source>Layers of the network</source>
        <translation>Capas de la red</translation>
    </message>
    <message>
        <source>Input, %1</source>
        <translation>Entrada, %1</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>Output %1 (batch × channels × height × width)</source>
        <translation>Salida %1 (lote × canales × alto × ancho)</translation>
    </message>
    <message>
        <source>Parameters: %1</source>
        <translation>Parámetros: %1</translation>
    </message>
    <message>
        <source>Multiply-adds of the batch, forward: %1</source>
        <translation>Multiplicaciones-sumas del lote, hacia adelante: %1</translation>
    </message>
    <message>
        <source>Memory of the output: %1</source>
        <translation>Memoria de la salida: %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::NetworkFindBar</name>
    <message>
        <source>Find layers</source>
        <translation>Buscar capas</translation>
    </message>
    <message>
        <source>Name, type or size: conv, relu, 3×3</source>
        <translation>Nombre, tipo o tamaño: conv, relu, 3×3</translation>
    </message>
    <message>
        <source>Previous hit (Shift+F3)</source>
        <translation>Coincidencia anterior (Mayús+F3)</translation>
    </message>
    <message>
        <source>Next hit (F3)</source>
        <translation>Coincidencia siguiente (F3)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Cerrar (Esc)</translation>
    </message>
    <message>
        <source>No hits</source>
        <translation>Sin coincidencias</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::NetworkMinimap</name>
    <message>
        <source>Overview of the network</source>
        <translation>Vista general de la red</translation>
    </message>
    <message>
        <source>The whole network. Click or drag to go there.</source>
        <translation>La red entera. Haga clic o arrastre para ir allí.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::NetworkPainter</name>
    <message>
        <source>%1 parameters</source>
        <translation>%1 parámetros</translation>
    </message>
    <message>
        <source>%1 multiply-adds</source>
        <translation>%1 mult.-sumas</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>no shape</source>
        <translation>sin forma</translation>
    </message>
    <message>
        <source>No layers yet. Click a layer on the left, drag it here, or press Insert.</source>
        <translation>Aún no hay capas. Haga clic en una capa a la izquierda, arrástrela aquí o pulse Insert.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::NetworkTotals</name>
    <message>
        <source>%1: %2 needed; this machine&apos;s devices are not known yet</source>
        <translation>%1: necesita %2; aún no se conocen los dispositivos de este equipo</translation>
    </message>
    <message>
        <source>%1: %2 of %3 free: fits</source>
        <translation>%1: %2 de %3 libres: cabe</translation>
    </message>
    <message>
        <source>%1: %2 of %3 free: does not fit</source>
        <translation>%1: %2 de %3 libres: no cabe</translation>
    </message>
    <message>
        <source>%1: too large</source>
        <translation>%1: demasiado grande</translation>
    </message>
    <message>
        <source>%1: not here</source>
        <translation>%1: no está aquí</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parámetros</translation>
    </message>
    <message>
        <source>What is learned, in numbers of four bytes</source>
        <translation>Lo que se aprende, en números de cuatro bytes</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>Mult.-sumas</translation>
    </message>
    <message>
        <source>Of one batch, forward; one multiply-add is two operations</source>
        <translation>De un lote, hacia adelante; una multiplicación-suma son dos operaciones</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Activaciones</translation>
    </message>
    <message>
        <source>Memory of outputs and their gradients, used again where that can be</source>
        <translation>Memoria de las salidas y sus gradientes, reutilizada donde se puede</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Pesos</translation>
    </message>
    <message>
        <source>Memory of the parameters</source>
        <translation>Memoria de los parámetros</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradientes</translation>
    </message>
    <message>
        <source>Memory of the parameters&apos; gradients</source>
        <translation>Memoria de los gradientes de los parámetros</translation>
    </message>
    <message>
        <source>Rest</source>
        <translation>Resto</translation>
    </message>
    <message>
        <source>Memory of the optimiser, running statistics, input and targets</source>
        <translation>Memoria del optimizador, estadísticas acumuladas, entrada y valores deseados</translation>
    </message>
    <message>
        <source>Sums appear when the network has no mistakes.</source>
        <translation>Las sumas aparecen cuando la red no tiene errores.</translation>
    </message>
    <message>
        <source>Memory:</source>
        <translation>Memoria:</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::NetworkView</name>
    <message>
        <source>Duplicate</source>
        <translation>Duplicar</translation>
    </message>
    <message>
        <source>Duplicate the selected layers (Ctrl+D)</source>
        <translation>Duplicar las capas seleccionadas (Ctrl+D)</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove the selected layers and join their neighbours (Delete)</source>
        <translation>Quitar las capas seleccionadas y unir sus vecinas (Supr)</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Agrupar</translation>
    </message>
    <message>
        <source>Show the selected layers as one box (Ctrl+G)</source>
        <translation>Mostrar las capas seleccionadas como una sola caja (Ctrl+G)</translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation>Ordenar</translation>
    </message>
    <message>
        <source>Lay out everything automatically again (L)</source>
        <translation>Volver a colocarlo todo automáticamente (L)</translation>
    </message>
    <message>
        <source>Find layers (Ctrl+F)</source>
        <translation>Buscar capas (Ctrl+F)</translation>
    </message>
    <message>
        <source>Smaller (−)</source>
        <translation>Más pequeño (−)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Ajustar</translation>
    </message>
    <message>
        <source>Show the whole network (0)</source>
        <translation>Mostrar la red entera (0)</translation>
    </message>
    <message>
        <source>Larger (+)</source>
        <translation>Más grande (+)</translation>
    </message>
    <message>
        <source>Remove layers</source>
        <translation>Quitar capas</translation>
    </message>
    <message>
        <source>Cut layers</source>
        <translation>Cortar capas</translation>
    </message>
    <message>
        <source>Paste layers</source>
        <translation>Pegar capas</translation>
    </message>
    <message>
        <source>Move layers</source>
        <translation>Mover capas</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>Añadir %1</translation>
    </message>
    <message>
        <source>Insert %1</source>
        <translation>Insertar %1</translation>
    </message>
    <message>
        <source>Duplicate layers</source>
        <translation>Duplicar capas</translation>
    </message>
    <message>
        <source>Group layers</source>
        <translation>Agrupar capas</translation>
    </message>
    <message>
        <source>Take group apart</source>
        <translation>Deshacer el grupo</translation>
    </message>
    <message>
        <source>Collapse group</source>
        <translation>Contraer el grupo</translation>
    </message>
    <message>
        <source>Open group</source>
        <translation>Abrir el grupo</translation>
    </message>
    <message>
        <source>Arrange layers</source>
        <translation>Ordenar capas</translation>
    </message>
    <message>
        <source>Move layer</source>
        <translation>Mover capa</translation>
    </message>
    <message>
        <source>Edit values</source>
        <translation>Editar valores</translation>
    </message>
    <message>
        <source>Add a layer after it</source>
        <translation>Añadir una capa detrás</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Cortar</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Pegar</translation>
    </message>
    <message>
        <source>Arrange automatically</source>
        <translation>Ordenar automáticamente</translation>
    </message>
    <message>
        <source>Find layers</source>
        <translation>Buscar capas</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::NumbersEditor</name>
    <message>
        <source>measured</source>
        <translation>medida</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::OptionsPanel</name>
    <message>
        <source>Reference of the speedup</source>
        <translation>Referencia de la aceleración</translation>
    </message>
    <message>
        <source>Axis along x</source>
        <translation>Eje a lo largo de x</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>Punto</translation>
    </message>
    <message>
        <source>View as table</source>
        <translation>Ver como tabla</translation>
    </message>
    <message>
        <source>Targets shown</source>
        <translation>Objetivos mostrados</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Referencia</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>Eje x</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Gráfica</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Objetivos</translation>
    </message>
    <message>
        <source>All, or the headline&apos;s</source>
        <translation>Todos, o el del titular</translation>
    </message>
    <message>
        <source>Layers shown</source>
        <translation>Capas mostradas</translation>
    </message>
    <message>
        <source>Directions shown</source>
        <translation>Direcciones mostradas</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Capas</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Dirección</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>Todas las capas</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>Convolución</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>Pooling</translation>
    </message>
    <message>
        <source>Dense</source>
        <translation>Densa</translation>
    </message>
    <message>
        <source>Forward and backward</source>
        <translation>Hacia adelante y hacia atrás</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Hacia adelante</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Hacia atrás</translation>
    </message>
    <message>
        <source>none</source>
        <comment>reference</comment>
        <translation>ninguna</translation>
    </message>
    <message>
        <source>none</source>
        <comment>axis</comment>
        <translation>ninguno</translation>
    </message>
    <message>
        <source>none</source>
        <comment>point</comment>
        <translation>ninguno</translation>
    </message>
    <message>
        <source>none</source>
        <comment>layer</comment>
        <translation>ninguna</translation>
    </message>
    <message>
        <source>none</source>
        <comment>direction</comment>
        <translation>ninguna</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::PathEditor</name>
    <message>
        <source>C&amp;hoose…</source>
        <translation>E&amp;legir…</translation>
    </message>
    <message>
        <source>Drop a file here</source>
        <translation>Suelte un archivo aquí</translation>
    </message>
    <message>
        <source>Choose the input file</source>
        <translation>Elegir el archivo de entrada</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::PeaksBar</name>
    <message>
        <source>Measure this machine&apos;s peaks…</source>
        <translation>Medir los picos de esta máquina…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Measurement of the peaks</source>
        <translation>Medición de los picos</translation>
    </message>
    <message>
        <source>Measuring, step %1 of %2: nothing else ought to run meanwhile.</source>
        <translation>Midiendo, paso %1 de %2: entretanto no debería ejecutarse nada más.</translation>
    </message>
    <message>
        <source>Measuring: nothing else ought to run meanwhile.</source>
        <translation>Midiendo: entretanto no debería ejecutarse nada más.</translation>
    </message>
    <message>
        <source>A study is running: both would disturb each other.</source>
        <translation>Se está ejecutando un estudio: se perturbarían el uno al otro.</translation>
    </message>
    <message>
        <source>Memory and fp32 rate of the processors, for the roofs of this and of later studies: some seconds, in which nothing else ought to run.</source>
        <translation>Velocidad de la memoria y de fp32 de los procesadores, para los techos de este estudio y de los siguientes: unos segundos, en los que no debería ejecutarse nada más.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::PeaksMeasurement</name>
    <message>
        <source>The peaks were not measured: %1</source>
        <translation>Los picos no se midieron: %1</translation>
    </message>
    <message>
        <source>%1 could not be started: %2.</source>
        <translation>%1 no se pudo iniciar: %2.</translation>
    </message>
    <message>
        <source>The peaks were not measured: the worker was ended by %1. What was measured before stays; measure again.</source>
        <translation>Los picos no se midieron: el proceso terminó por %1. Lo medido antes se conserva; mida de nuevo.</translation>
    </message>
    <message>
        <source>The peaks were not measured: the worker ended with the exit code %1 and said nothing.</source>
        <translation>Los picos no se midieron: el proceso terminó con el código de salida %1 sin decir nada.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::Picture</name>
    <message>
        <source>%1 of a recording of %2; %3 spans</source>
        <translation>%1 de una grabación de %2; %3 tramos</translation>
    </message>
    <message>
        <source>; data quality: events were lost or changed</source>
        <translation>; calidad de los datos: se perdieron o cambiaron eventos</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::PlaybackBar</name>
    <message>
        <source>First window</source>
        <translation>Primera ventana</translation>
    </message>
    <message>
        <source>Window before</source>
        <translation>Ventana anterior</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Reproducir</translation>
    </message>
    <message>
        <source>Next window</source>
        <translation>Ventana siguiente</translation>
    </message>
    <message>
        <source>Last window</source>
        <translation>Última ventana</translation>
    </message>
    <message>
        <source>Position of the window</source>
        <translation>Posición de la ventana</translation>
    </message>
    <message>
        <source>Move the window over the input</source>
        <translation>Mover la ventana sobre la entrada</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausa</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::PoolingCanvas</name>
    <message>
        <source>Picture of the pooling</source>
        <translation>Imagen del pooling</translation>
    </message>
    <message>
        <source>Value of the cell</source>
        <translation>Valor de la celda</translation>
    </message>
    <message>
        <source>Arrows choose a cell, digits or F2 edit it, Ctrl+V pastes a block</source>
        <translation>Las flechas eligen una celda, los dígitos o F2 la editan, Ctrl+V pega un bloque</translation>
    </message>
    <message>
        <source>Arrows step, Space plays; click a result to see its window</source>
        <translation>Las flechas avanzan, Espacio reproduce; haga clic en un resultado para ver su ventana</translation>
    </message>
    <message>
        <source>Window at row %1, column %2 gives %3</source>
        <translation>La ventana en la fila %1, columna %2 da %3</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::PoolingPicture</name>
    <message>
        <source>Output size</source>
        <translation>Tamaño de la salida</translation>
    </message>
    <message>
        <source>Work and memory</source>
        <translation>Trabajo y memoria</translation>
    </message>
    <message>
        <source>+ Row</source>
        <translation>+ Fila</translation>
    </message>
    <message>
        <source>− Row</source>
        <translation>− Fila</translation>
    </message>
    <message>
        <source>+ Column</source>
        <translation>+ Columna</translation>
    </message>
    <message>
        <source>− Column</source>
        <translation>− Columna</translation>
    </message>
    <message>
        <source>&amp;Paste block</source>
        <translation>&amp;Pegar bloque</translation>
    </message>
    <message>
        <source>Rows by line, numbers separated by tabs, spaces or commas; starts at the chosen cell</source>
        <translation>Una fila por línea, números separados por tabuladores, espacios o comas; empieza en la celda elegida</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>No picture yet</source>
        <translation>Aún no hay imagen</translation>
    </message>
    <message>
        <source>%1 Correct it on the left and the picture appears.</source>
        <translation>%1 Corríjalo a la izquierda y aparecerá la imagen.</translation>
    </message>
    <message>
        <source>%1 The picture shows the last experiment that could be drawn.</source>
        <translation>%1 La imagen muestra el último experimento que se pudo dibujar.</translation>
    </message>
    <message>
        <source>(size + padding before + after − kernel) / stride, rounded down, plus 1</source>
        <translation>(tamaño + relleno antes + después − núcleo) / paso, redondeado hacia abajo, más 1</translation>
    </message>
    <message>
        <source>Set cell %1, %2 to %3</source>
        <translation>Poner la celda %1, %2 en %3</translation>
    </message>
    <message>
        <source>the clipboard holds no block of numbers</source>
        <translation>el portapapeles no contiene un bloque de números</translation>
    </message>
    <message>
        <source>rows by line, numbers separated by tabs, spaces or commas</source>
        <translation>una fila por línea, números separados por tabuladores, espacios o comas</translation>
    </message>
    <message>
        <source>Paste %1 × %2 cells</source>
        <translation>Pegar %1 × %2 celdas</translation>
    </message>
    <message>
        <source>Add a row</source>
        <translation>Añadir una fila</translation>
    </message>
    <message>
        <source>Remove a row</source>
        <translation>Quitar una fila</translation>
    </message>
    <message>
        <source>Add a column</source>
        <translation>Añadir una columna</translation>
    </message>
    <message>
        <source>Remove a column</source>
        <translation>Quitar una columna</translation>
    </message>
    <message>
        <source>. Allowed: %1</source>
        <translation>. Permitido: %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::PredictionList</name>
    <message>
        <source>Show All</source>
        <translation>Mostrar todos</translation>
    </message>
    <message>
        <source>Examples and what was predicted for them</source>
        <translation>Ejemplos y lo que se predijo de ellos</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Resultado</translation>
    </message>
    <message>
        <source>True</source>
        <translation>Real</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Predicho</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Probabilidad</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Ejemplo</translation>
    </message>
    <message>
        <source>right</source>
        <translation>correcto</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>incorrecto</translation>
    </message>
    <message>
        <source>No predictions were recorded yet.</source>
        <translation>Aún no se ha grabado ninguna predicción.</translation>
    </message>
    <message>
        <source>the test part</source>
        <translation>la parte de prueba</translation>
    </message>
    <message>
        <source>the validation part</source>
        <translation>la parte de validación</translation>
    </message>
    <message>
        <source>%1 examples of %2 after epoch %3</source>
        <translation>%1 ejemplos de %2 tras la época %3</translation>
    </message>
    <message>
        <source>%1 predicted as %2: %3 of %4 examples were recorded</source>
        <translation>%1 predicho como %2: se grabaron %3 de %4 ejemplos</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ProblemsPanel</name>
    <message>
        <source>Problems of the experiment</source>
        <translation>Problemas del experimento</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problema</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Dónde</translation>
    </message>
    <message>
        <source>What is allowed, what to do</source>
        <translation>Qué se permite, qué hacer</translation>
    </message>
    <message>
        <source>Error: %1</source>
        <translation>Error: %1</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>Aviso: %1</translation>
    </message>
    <message>
        <source>No problems: the experiment can run.</source>
        <translation>Sin problemas: el experimento se puede ejecutar.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::RecoveryJournal</name>
    <message>
        <source>Unsaved work is not protected: %1: %2</source>
        <translation>El trabajo sin guardar no está protegido: %1: %2</translation>
    </message>
    <message>
        <source>Unsaved work is not protected: %1</source>
        <translation>El trabajo sin guardar no está protegido: %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::RunTablePage</name>
    <message>
        <source>All runs</source>
        <translation>Todas las ejecuciones</translation>
    </message>
    <message>
        <source>Filter: words that a row must contain</source>
        <translation>Filtro: palabras que una fila debe contener</translation>
    </message>
    <message>
        <source>Filter of the runs</source>
        <translation>Filtro de las ejecuciones</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Export the table as CSV</source>
        <translation>Exportar la tabla como CSV</translation>
    </message>
    <message>
        <source>Export the table as LaTeX</source>
        <translation>Exportar la tabla como LaTeX</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n row(s) as CSV</source>
        <translation>
            <numerusform>Se copió %n fila como CSV</numerusform>
            <numerusform>Se copiaron %n filas como CSV</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 de %2 ejecuciones</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::RunView</name>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Progress of the study</source>
        <translation>Progreso del estudio</translation>
    </message>
    <message>
        <source>Runs of this study</source>
        <translation>Ejecuciones de este estudio</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Estudio</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 en %2</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 ejecución</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 ejecuciones</translation>
    </message>
    <message>
        <source>1 target</source>
        <translation>1 objetivo</translation>
    </message>
    <message>
        <source>%1 targets</source>
        <translation>%1 objetivos</translation>
    </message>
    <message>
        <source>The run did not get going</source>
        <translation>La ejecución no llegó a empezar</translation>
    </message>
    <message>
        <source>Run Again</source>
        <translation>Ejecutar de nuevo</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>cargando</translation>
    </message>
    <message>
        <source>running</source>
        <translation>en curso</translation>
    </message>
    <message>
        <source>done</source>
        <translation>terminado</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>detenido antes de tiempo</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fallido</translation>
    </message>
    <message>
        <source>Open in Analyze</source>
        <translation>Abrir en Analizar</translation>
    </message>
    <message>
        <source>Open in Timeline</source>
        <translation>Abrir en Cronograma</translation>
    </message>
    <message>
        <source>All runs are done.</source>
        <translation>Todas las ejecuciones han terminado.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ejecutar</translation>
    </message>
    <message>
        <source>Nothing has run yet</source>
        <translation>Aún no se ha ejecutado nada</translation>
    </message>
    <message>
        <source>Run “%1” to watch its samples and its timeline here.</source>
        <translation>Ejecute «%1» para ver aquí sus muestras y su cronograma.</translation>
    </message>
    <message>
        <source>Nothing to run yet</source>
        <translation>Aún no hay nada que ejecutar</translation>
    </message>
    <message>
        <source>Open or build an experiment without problems first; then run it here.</source>
        <translation>Primero abra o construya un experimento sin problemas; después ejecútelo aquí.</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>Eje&amp;cuciones</translation>
    </message>
    <message>
        <source>&amp;Training</source>
        <translation>Entre&amp;namiento</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>cancelado</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>en escritura</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>dañado</translation>
    </message>
    <message>
        <source>Repeat When Quiet</source>
        <translation>Repetir con la máquina tranquila</translation>
    </message>
    <message>
        <source>Other programs disturbed %1 of %2 samples.</source>
        <translation>Otros programas perturbaron %1 de %2 muestras.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::RunsModel</name>
    <message>
        <source>not run</source>
        <translation>no ejecutada</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>referencia</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>en espera</translation>
    </message>
    <message>
        <source>running</source>
        <translation>en curso</translation>
    </message>
    <message>
        <source>done</source>
        <translation>terminado</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>falló: %1</translation>
    </message>
    <message>
        <source>skipped: %1</source>
        <translation>omitido: %1</translation>
    </message>
    <message>
        <source>%1 samples, %2 warm-ups</source>
        <translation>%1 muestras, %2 de calentamiento</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 muestras</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Objetivo</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>Punto</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Muestras</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Mediana</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>Intervalo del 95 %</translation>
    </message>
    <message>
        <source>Speedup so far</source>
        <translation>Aceleración</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>unfinished</source>
        <translation>sin terminar</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>cancelado</translation>
    </message>
    <message>
        <source>Warm-up: %1</source>
        <translation>Calentamiento: %1</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>calentando</translation>
    </message>
    <message>
        <source>checking the result</source>
        <translation>comprobando el resultado</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>preparando</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Aceleración</translation>
    </message>
    <message>
        <source>; disturbed: %1 of %2</source>
        <translation>; perturbadas: %1 de %2</translation>
    </message>
    <message>
        <source>%1 (something else ran: wait, and repeat)</source>
        <translation>%1 (otra cosa se ejecutó: espere y repita)</translation>
    </message>
    <message>
        <source>first use</source>
        <translation>primer uso</translation>
    </message>
    <message>
        <source>waiting for a quiet machine</source>
        <translation>esperando a que la máquina esté tranquila</translation>
    </message>
    <message>
        <source>planning</source>
        <translation>planificando</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::SampleGrid</name>
    <message>
        <source>Image</source>
        <translation>Imagen</translation>
    </message>
    <message>
        <source>Transformed</source>
        <translation>Transformada</translation>
    </message>
    <message>
        <source>Sobel</source>
        <translation>Sobel</translation>
    </message>
    <message>
        <source>Pooled</source>
        <translation>Tras el pooling</translation>
    </message>
    <message>
        <source>Samples: %1</source>
        <translation>Muestras: %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::SamplePartsSection</name>
    <message>
        <source>Parts</source>
        <translation>Partes</translation>
    </message>
    <message>
        <source>Where the wall time of each run on a processor went</source>
        <translation>A dónde fue el tiempo real de cada ejecución en un procesador</translation>
    </message>
    <message>
        <source>Wall time of the traced samples on processors</source>
        <translation>Tiempo real de las muestras con traza en procesadores</translation>
    </message>
    <message>
        <source>%1: %2 of a repetition was recorded</source>
        <translation>%1: se registró el %2 de una repetición</translation>
    </message>
    <message>
        <source>Times of a repetition. Operations, copies outside of them and the rest add up to it; the rest is between operations, and what recording takes there.</source>
        <translation>Tiempos de una repetición. Operaciones, copias fuera de ellas y el resto la suman; el resto está entre operaciones, y es lo que la grabación tarda ahí.</translation>
    </message>
    <message>
        <source>Of many operations those beyond a limit have no span: the rest holds them.</source>
        <translation>De muchas operaciones, las que pasan de un límite no tienen intervalo: están en el resto.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::SampleView</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Muestras</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::SamplesView</name>
    <message>
        <source>Sh&amp;uffled</source>
        <translation>&amp;Mezcladas</translation>
    </message>
    <message>
        <source>Samples of the data</source>
        <translation>Muestras de los datos</translation>
    </message>
    <message>
        <source>&amp;Class</source>
        <translation>&amp;Clase</translation>
    </message>
    <message>
        <source>Class of the samples</source>
        <translation>Clase de las muestras</translation>
    </message>
    <message>
        <source>&amp;Read again</source>
        <translation>&amp;Leer de nuevo</translation>
    </message>
    <message>
        <source>Read the data as the experiment says now</source>
        <translation>Leer los datos según dice ahora el experimento</translation>
    </message>
    <message>
        <source>Reading the data …</source>
        <translation>Leyendo los datos…</translation>
    </message>
    <message>
        <source>The data cannot be shown</source>
        <translation>No se pueden mostrar los datos</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Todas</translation>
    </message>
    <message>
        <source>%1 for training, %2 for validation, %3 for testing</source>
        <translation>%1 para entrenar, %2 para validar, %3 para probar</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::Screenshots</name>
    <message>
        <source>no picture %1: the window did not come to rest within %2 s</source>
        <translation>sin imagen %1: la ventana no quedó en reposo en %2 s</translation>
    </message>
    <message>
        <source>%1: the picture cannot be put into PNG: not enough memory</source>
        <translation>%1: la imagen no se puede convertir a PNG: falta memoria</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::SessionDecoder</name>
    <message>
        <source>%1 cannot be opened: %2.</source>
        <translation>No se puede abrir %1: %2.</translation>
    </message>
    <message>
        <source>%1 is empty: a copy that failed, a full disk or a loss of power may have left it. Copy it again from where it was written, or run its experiment again.</source>
        <translation>%1 está vacío: puede deberse a una copia fallida, un disco lleno o un corte de corriente. Cópielo de nuevo desde donde se escribió o vuelva a ejecutar su experimento.</translation>
    </message>
    <message>
        <source>%1 of %2 events were skipped.</source>
        <translation>Se omitieron %1 de %2 eventos.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::ShapeEditor</name>
    <message>
        <source>Image</source>
        <translation>Imagen</translation>
    </message>
    <message>
        <source>Row of numbers</source>
        <translation>Fila de números</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>canales</translation>
    </message>
    <message>
        <source>height</source>
        <translation>alto</translation>
    </message>
    <message>
        <source>width</source>
        <translation>ancho</translation>
    </message>
    <message>
        <source>features</source>
        <translation>características</translation>
    </message>
    <message>
        <source>%1: image or row of numbers</source>
        <translation>%1: imagen o fila de números</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::SizeHistogram</name>
    <message>
        <source>Copies by size: arrow keys choose a size</source>
        <translation>Copias por tamaño: las flechas eligen un tamaño</translation>
    </message>
    <message>
        <source>%1: %2 copies, %3</source>
        <translation>%1: %2 copias, %3</translation>
    </message>
    <message>
        <source>%1 to below %2: %3</source>
        <translation>de %1 a menos de %2: %3</translation>
    </message>
    <message>
        <source>no copy</source>
        <translation>ninguna copia</translation>
    </message>
    <message>
        <source>Size of a copy, from the one below each bar to twice that</source>
        <translation>Tamaño de una copia: desde el indicado bajo cada barra hasta el doble</translation>
    </message>
    <message>
        <source>No copies here</source>
        <translation>Aquí no hay copias</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::StartPage</name>
    <message>
        <source>Heteroscope</source>
        <translation>Heteroscope</translation>
    </message>
    <message>
        <source>Build an experiment, run it on every processor of this machine, and see where the time goes.</source>
        <translation>Construya un experimento, ejecútelo en cada procesador de esta máquina y vea en qué se va el tiempo.</translation>
    </message>
    <message>
        <source>New Pooling Experiment</source>
        <translation>Nuevo experimento de pooling</translation>
    </message>
    <message>
        <source>New Matrix Multiplication</source>
        <translation>Nueva multiplicación de matrices</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Abrir…</translation>
    </message>
    <message>
        <source>Open a Recorded Run…</source>
        <translation>Abrir una ejecución grabada…</translation>
    </message>
    <message>
        <source>New here? Start with this one</source>
        <translation>¿Es la primera vez? Empiece por aquí</translation>
    </message>
    <message>
        <source>Pooling and matrix products</source>
        <translation>Pooling y productos de matrices</translation>
    </message>
    <message>
        <source>Neural networks</source>
        <translation>Redes neuronales</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>Plantillas</translation>
    </message>
    <message>
        <source>The templates that come with the program were not found. Set HETEROSCOPE_RESOURCES to the folder that holds them.</source>
        <translation>No se encontraron las plantillas que vienen con el programa. Ponga en HETEROSCOPE_RESOURCES la carpeta que las contiene.</translation>
    </message>
    <message>
        <source>Open it, press Run, and see which implementation is fastest and by how much. Everything is filled in; change what you like.</source>
        <translation>Ábralo, pulse Ejecutar y vea qué implementación es la más rápida y por cuánto. Todo está relleno; cambie lo que quiera.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Archivos recientes</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Esta máquina</translation>
    </message>
    <message>
        <source>Files that you open appear here.</source>
        <translation>Aquí aparecen los archivos que abra.</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>Abrir %1</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>Buscando dispositivos…</translation>
    </message>
    <message>
        <source>Recorded on a GPU</source>
        <translation>Grabado en una GPU</translation>
    </message>
    <message>
        <source>New Network</source>
        <translation>Nueva red</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::StatisticsPanel</name>
    <message>
        <source>Tracks counted</source>
        <translation>Pistas contadas</translation>
    </message>
    <message>
        <source>Shown tracks</source>
        <translation>Pistas mostradas</translation>
    </message>
    <message>
        <source>All tracks</source>
        <translation>Todas las pistas</translation>
    </message>
    <message>
        <source>Track of the selection</source>
        <translation>Pista de la selección</translation>
    </message>
    <message>
        <source>Copy CSV</source>
        <translation>Copiar CSV</translation>
    </message>
    <message>
        <source>Copy TSV</source>
        <translation>Copiar TSV</translation>
    </message>
    <message>
        <source>The table as comma-separated values</source>
        <translation>La tabla como valores separados por comas</translation>
    </message>
    <message>
        <source>The table for a spreadsheet</source>
        <translation>La tabla para una hoja de cálculo</translation>
    </message>
    <message>
        <source>Statistics by name</source>
        <translation>Estadísticas por nombre</translation>
    </message>
    <message>
        <source>Statistics by track</source>
        <translation>Estadísticas por pista</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Whole recording</source>
        <translation>Grabación completa</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Rango</translation>
    </message>
    <message>
        <source>%1, %2 on %3 tracks; durations are cut to it</source>
        <translation>%1, %2 en %3 pistas; las duraciones se recortan a ese intervalo</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::StatusWidgets</name>
    <message>
        <source>Dropped or odd events of the shown recording; details are in the Inspector</source>
        <translation>Eventos perdidos o extraños de la grabación mostrada; los detalles están en el Inspector</translation>
    </message>
    <message>
        <source>Memory of this machine in use</source>
        <translation>Memoria de esta máquina en uso</translation>
    </message>
    <message>
        <source>Memory %1 of %2</source>
        <translation>Memoria %1 de %2</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 problema</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 problemas</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 aviso</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 avisos</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Sin problemas</translation>
    </message>
    <message>
        <source>Show the list of problems</source>
        <translation>Mostrar la lista de problemas</translation>
    </message>
    <message>
        <source>Data complete</source>
        <translation>Datos completos</translation>
    </message>
    <message>
        <source>Data incomplete</source>
        <translation>Datos incompletos</translation>
    </message>
    <message>
        <source>%1 events dropped</source>
        <translation>%1 eventos perdidos</translation>
    </message>
    <message>
        <source>Data has notes</source>
        <translation>Los datos tienen notas</translation>
    </message>
    <message>
        <source>Run failed</source>
        <translation>La ejecución falló</translation>
    </message>
    <message>
        <source>What was recorded until then is whole.</source>
        <translation>Lo registrado hasta entonces está íntegro.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::StudySession</name>
    <message>
        <source>Reading %1</source>
        <translation>Leyendo %1</translation>
    </message>
    <message>
        <source>What the worker sends cannot be read: %1</source>
        <translation>No se puede leer lo que envía el proceso de cálculo: %1</translation>
    </message>
    <message>
        <source>This run failed: %1</source>
        <translation>Esta ejecución falló: %1</translation>
    </message>
    <message>
        <source>The worker ended without saying why; what had arrived is here.</source>
        <translation>El proceso de cálculo terminó sin decir por qué; aquí está lo que había llegado.</translation>
    </message>
    <message>
        <source>The recording is %1.</source>
        <translation>La grabación está %1.</translation>
    </message>
    <message>
        <source>The recording stopped early: it holds everything up to byte %1.</source>
        <translation>La grabación terminó antes de tiempo: contiene todo hasta el byte %1.</translation>
    </message>
    <message>
        <source>It was computing %1.</source>
        <translation>Estaba calculando %1.</translation>
    </message>
    <message>
        <source>The recording stopped early: it holds everything up to byte %1; the %2 bytes after it are an unfinished record.</source>
        <translation>La grabación terminó antes de tiempo: contiene todo hasta el byte %1; los %2 bytes siguientes son un registro sin terminar.</translation>
    </message>
    <message>
        <source>The recording is being written: so far it holds everything up to byte %1. Open it again when its run has ended.</source>
        <translation>La grabación se está escribiendo: por ahora contiene todo hasta el byte %1. Ábrala de nuevo cuando haya terminado su ejecución.</translation>
    </message>
    <message>
        <source>A thread for reading cannot be started: the limit of threads or of memory is reached. End other programs and open it again.</source>
        <translation>No se puede iniciar un hilo para leer: se ha alcanzado el límite de hilos o de memoria. Cierre otros programas y ábralo de nuevo.</translation>
    </message>
    <message>
        <source>This run was cancelled; the samples taken until then are here.</source>
        <translation>Esta ejecución se canceló; aquí están las muestras tomadas hasta entonces.</translation>
    </message>
    <message>
        <source>The recording was not read to its end: %1</source>
        <translation>La grabación no se leyó hasta el final: %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TargetChooser</name>
    <message>
        <source>Targets</source>
        <translation>Objetivos</translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>(vacío)</translation>
    </message>
    <message>
        <source>%1 is no target</source>
        <translation>%1 no es un objetivo</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove %1 from the targets</source>
        <translation>Quitar %1 de los objetivos</translation>
    </message>
    <message>
        <source>Remove target %1</source>
        <translation>Quitar objetivo %1</translation>
    </message>
    <message>
        <source>not on this computer</source>
        <translation>no está en este equipo</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>Buscando dispositivos…</translation>
    </message>
    <message>
        <source>Run it once more with other options</source>
        <translation>Ejecutarlo otra vez con otras opciones</translation>
    </message>
    <message>
        <source>Add a variant of %1</source>
        <translation>Añadir una variante de %1</translation>
    </message>
    <message>
        <source>Remove this variant</source>
        <translation>Quitar esta variante</translation>
    </message>
    <message>
        <source>Remove variant %1</source>
        <translation>Quitar variante %1</translation>
    </message>
    <message>
        <source>all</source>
        <translation>todos</translation>
    </message>
    <message>
        <source>default</source>
        <translation>por defecto</translation>
    </message>
    <message>
        <source>%1 of target %2</source>
        <translation>%1 del objetivo %2</translation>
    </message>
    <message>
        <source>Add target %1</source>
        <translation>Añadir objetivo %1</translation>
    </message>
    <message>
        <source>Set %1 of %2 to %3</source>
        <translation>Poner %1 de %2 en %3</translation>
    </message>
    <message>
        <source>Add variant %1</source>
        <translation>Añadir variante %1</translation>
    </message>
    <message>
        <source>Implementations…</source>
        <translation>Implementaciones…</translation>
    </message>
    <message>
        <source>What computes each operation on each target, and why not something else</source>
        <translation>Qué calcula cada operación en cada destino, y por qué no otra cosa</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TimelineBar</name>
    <message>
        <source>Statistics count this range only. Click to take it away (Esc).</source>
        <translation>Las estadísticas cuentan solo este rango. Haga clic para quitarlo (Esc).</translation>
    </message>
    <message>
        <source>Search spans by name</source>
        <translation>Buscar tramos por nombre</translation>
    </message>
    <message>
        <source>Search spans (Ctrl+F)</source>
        <translation>Buscar tramos (Ctrl+F)</translation>
    </message>
    <message>
        <source>Previous hit (Shift+F3)</source>
        <translation>Coincidencia anterior (Mayús+F3)</translation>
    </message>
    <message>
        <source>Next hit (F3)</source>
        <translation>Coincidencia siguiente (F3)</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Seguir</translation>
    </message>
    <message>
        <source>Keep the newest events in view (End)</source>
        <translation>Mantener a la vista los eventos más nuevos (Fin)</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>Ver todo</translation>
    </message>
    <message>
        <source>Show the whole recording (Home)</source>
        <translation>Mostrar toda la grabación (Inicio)</translation>
    </message>
    <message>
        <source>Keys (?)</source>
        <translation>Teclas (?)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportar</translation>
    </message>
    <message>
        <source>Save what is shown as a picture</source>
        <translation>Guardar lo que se muestra como imagen</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1 …</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>Buscando …</translation>
    </message>
    <message>
        <source>No hits</source>
        <translation>Sin coincidencias</translation>
    </message>
    <message>
        <source>%1 hits</source>
        <translation>%1 coincidencias</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>Range %1</source>
        <translation>Rango %1</translation>
    </message>
    <message>
        <source>Clear %1</source>
        <translation>Borrar %1</translation>
    </message>
    <message>
        <source>%1 events were dropped while recording</source>
        <translation>Se perdieron %1 eventos durante la grabación</translation>
    </message>
    <message>
        <source>%1 records carried no time</source>
        <translation>%1 registros no llevaban tiempo</translation>
    </message>
    <message>
        <source>%1 events arrived out of order</source>
        <translation>%1 eventos llegaron desordenados</translation>
    </message>
    <message>
        <source>%1 spans were cut to fit</source>
        <translation>%1 tramos se recortaron para encajar</translation>
    </message>
    <message>
        <source>Data quality: %1 notes</source>
        <translation>Calidad de los datos: %1 notas</translation>
    </message>
    <message>
        <source>Transfers Here</source>
        <translation>Transferencias aquí</translation>
    </message>
    <message>
        <source>Transfers in this selection (Ctrl+T)</source>
        <translation>Transferencias en esta selección (Ctrl+T)</translation>
    </message>
    <message>
        <source>%1 pieces of device work lie before their cause, by the clocks</source>
        <translation>%1 trabajos del dispositivo quedan antes de su causa, según los relojes</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TimelineCanvas</name>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;%2 % of the tracks inside are busy</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;El %2 % de las pistas de dentro están ocupadas</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;%2</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;%2</translation>
    </message>
    <message>
        <source>&lt;br&gt;%1 samples in this pixel, %2 to %3</source>
        <translation>&lt;br&gt;%1 muestras en este píxel, de %2 a %3</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 spans&lt;/b&gt; in %2, busy %3 %&lt;br&gt;longest: %4&lt;br&gt;%5</source>
        <translation>&lt;b&gt;%1 tramos&lt;/b&gt; en %2, ocupado %3 %&lt;br&gt;el más largo: %4&lt;br&gt;%5</translation>
    </message>
    <message>
        <source>Zoom to span</source>
        <translation>Ampliar al tramo</translation>
    </message>
    <message>
        <source>Make it the range</source>
        <translation>Convertirlo en el rango</translation>
    </message>
    <message>
        <source>Search for this name</source>
        <translation>Buscar este nombre</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Copiar nombre</translation>
    </message>
    <message>
        <source>Add note here</source>
        <translation>Añadir nota aquí</translation>
    </message>
    <message>
        <source>Clear range</source>
        <translation>Quitar rango</translation>
    </message>
    <message>
        <source>Unpin track</source>
        <translation>Soltar pista</translation>
    </message>
    <message>
        <source>Pin track to the top</source>
        <translation>Fijar pista arriba</translation>
    </message>
    <message>
        <source>Timeline rows</source>
        <translation>Filas del cronograma</translation>
    </message>
    <message>
        <source>Arrow keys move, W and S zoom, comma and full stop step from span to span.</source>
        <translation>Las flechas mueven, W y S amplían y reducen, coma y punto pasan de tramo en tramo.</translation>
    </message>
    <message>
        <source>Text of the note</source>
        <translation>Texto de la nota</translation>
    </message>
    <message>
        <source>Note at this time</source>
        <translation>Nota en este momento</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TimelineView</name>
    <message>
        <source>Filter tracks by name</source>
        <translation>Filtrar pistas por nombre</translation>
    </message>
    <message>
        <source>Filter tracks</source>
        <translation>Filtrar pistas</translation>
    </message>
    <message>
        <source>Scroll the rows</source>
        <translation>Desplazar las filas</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Selección</translation>
    </message>
    <message>
        <source>Statistics by name</source>
        <translation>Estadísticas por nombre</translation>
    </message>
    <message>
        <source>Statistics by track</source>
        <translation>Estadísticas por pista</translation>
    </message>
    <message>
        <source>The run has started; its first events are on their way.</source>
        <translation>La ejecución ha empezado; sus primeros eventos están en camino.</translation>
    </message>
    <message>
        <source>Run an experiment, or open a run file (.hscope) or a Chrome trace (.json, .json.gz). Its events appear here.</source>
        <translation>Ejecute un experimento, o abra un archivo de ejecución (.hscope) o una traza de Chrome (.json, .json.gz). Sus eventos aparecen aquí.</translation>
    </message>
    <message>
        <source>Waiting for events</source>
        <translation>Esperando eventos</translation>
    </message>
    <message>
        <source>No trace yet</source>
        <translation>Aún no hay traza</translation>
    </message>
    <message>
        <source>1 track</source>
        <translation>1 pista</translation>
    </message>
    <message numerus="yes">
        <source>%n tracks</source>
        <translation>
            <numerusform>%n pista</numerusform>
            <numerusform>%n pistas</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 rows of %2 tracks</source>
        <translation>%1 filas de %2 pistas</translation>
    </message>
    <message>
        <source>Save the timeline as %1</source>
        <translation>Guardar el cronograma como %1</translation>
    </message>
    <message>
        <source>%1 picture (*.%2)</source>
        <translation>Imagen %1 (*.%2)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>Guardado %1</translation>
    </message>
    <message>
        <source>This recording has no copies between host and device.</source>
        <translation>Esta grabación no tiene copias entre anfitrión y dispositivo.</translation>
    </message>
    <message>
        <source>Choose a range first: drag in the ruler, or press M on a span.</source>
        <translation>Elija antes un intervalo: arrastre en la regla o pulse M en un tramo.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TopBar</name>
    <message>
        <source>Run</source>
        <translation>Ejecutar</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Progreso de la ejecución</translation>
    </message>
    <message>
        <source>Stop the run; finished samples are kept (Shift+F5)</source>
        <translation>Detener la ejecución; las muestras terminadas se conservan (Mayús+F5)</translation>
    </message>
    <message>
        <source>Target %1</source>
        <translation>Objetivo %1</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Deteniendo…</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Run “%1”</source>
        <translation>Ejecutar «%1»</translation>
    </message>
    <message>
        <source>Run “%1” (F5)</source>
        <translation>Ejecutar «%1» (F5)</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TrackHeader</name>
    <message>
        <source>Tracks</source>
        <translation>Pistas</translation>
    </message>
    <message>
        <source>Up and Down choose a track, Left and Right collapse and expand it, Space pins it, Alt with Up or Down moves it, Delete hides it.</source>
        <translation>Arriba y abajo eligen una pista, izquierda y derecha la pliegan y despliegan, Espacio la fija, Alt con arriba o abajo la mueve, Supr la oculta.</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>máx. %1</translation>
    </message>
    <message>
        <source>Track %1</source>
        <translation>Pista %1</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Soltar</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>Fijar arriba</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ocultar</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Subir</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Bajar</translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation>Plegar todo</translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>Desplegar todo</translation>
    </message>
    <message>
        <source>Show hidden tracks</source>
        <translation>Mostrar pistas ocultas</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TrackStatisticsModel</name>
    <message>
        <source>Track</source>
        <translation>Pista</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Ocupada</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Libre</translation>
    </message>
    <message>
        <source>Busy / %1</source>
        <translation>Ocupada / %1</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TrainingView</name>
    <message>
        <source>Run whose training is shown</source>
        <translation>Ejecución cuyo entrenamiento se muestra</translation>
    </message>
    <message>
        <source>Smoothing of the curves</source>
        <translation>Suavizado de las curvas</translation>
    </message>
    <message>
        <source>Weight w of the moving average m(t) = w m(t-1) + (1-w) x(t), shown as m(t) / (1 - w^t) (bias correction as in Kingma and Ba, 2015)</source>
        <translation>Peso w de la media móvil m(t) = w m(t-1) + (1-w) x(t), mostrada como m(t) / (1 - w^t) (corrección del sesgo como en Kingma y Ba, 2015)</translation>
    </message>
    <message>
        <source>Log axis</source>
        <translation>Eje logarítmico</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>E&amp;jecución</translation>
    </message>
    <message>
        <source>S&amp;moothing</source>
        <translation>&amp;Suavizado</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Época</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Paso</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Pérdida</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Exactitud</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Tiempo por paso</translation>
    </message>
    <message>
        <source>Examples per s</source>
        <translation>Ejemplos por s</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Tasa de aprendizaje</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Norma del gradiente</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>Tiempo restante</translation>
    </message>
    <message>
        <source>Loss while training</source>
        <translation>Pérdida durante el entrenamiento</translation>
    </message>
    <message>
        <source>What the lower chart shows</source>
        <translation>Qué muestra la gráfica inferior</translation>
    </message>
    <message>
        <source>Predicted against true values</source>
        <translation>Valores predichos frente a los reales</translation>
    </message>
    <message>
        <source>Results on examples that are not learnt from</source>
        <translation>Resultados con ejemplos de los que no se aprende</translation>
    </message>
    <message>
        <source>Confusion matrix</source>
        <translation>Matriz de confusión</translation>
    </message>
    <message>
        <source>Predicted against true</source>
        <translation>Predicho frente a real</translation>
    </message>
    <message>
        <source>The training has not begun</source>
        <translation>El entrenamiento no ha empezado</translation>
    </message>
    <message>
        <source>Curves appear with its first steps.</source>
        <translation>Las curvas aparecen con sus primeros pasos.</translation>
    </message>
    <message>
        <source>No training was recorded</source>
        <translation>No se grabó ningún entrenamiento</translation>
    </message>
    <message>
        <source>Run a network with the task &quot;train&quot; on a data set to watch its loss and accuracy here.</source>
        <translation>Ejecute una red con la tarea «train» sobre un conjunto de datos para seguir aquí su pérdida y su exactitud.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>done</source>
        <translation>terminado</translation>
    </message>
    <message>
        <source>After the first epoch this shows how the network does on examples that it does not learn from.</source>
        <translation>Tras la primera época, aquí se ve cómo responde la red ante ejemplos de los que no aprende.</translation>
    </message>
    <message>
        <source>Neither classes nor numbers were recorded of this network&apos;s results.</source>
        <translation>De los resultados de esta red no se grabaron ni clases ni números.</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TransferBars</name>
    <message>
        <source>Transfers</source>
        <translation>Transferencias</translation>
    </message>
    <message>
        <source>Transfers so far by direction and host memory</source>
        <translation>Transferencias hasta ahora por dirección y memoria del anfitrión</translation>
    </message>
    <message>
        <source>No copy between host and device has been recorded yet.</source>
        <translation>Aún no se ha grabado ninguna copia entre anfitrión y dispositivo.</translation>
    </message>
    <message>
        <source>No copy between host and device was recorded.</source>
        <translation>No se grabó ninguna copia entre anfitrión y dispositivo.</translation>
    </message>
    <message>
        <source>%1 in %2 copies; a copy runs in %3 of %4 so far</source>
        <translation>%1 en %2 copias; hay una copia en el %3 de %4 hasta ahora</translation>
    </message>
    <message>
        <source>%1 in %2 copies; a copy ran in %3 of %4</source>
        <translation>%1 en %2 copias; hubo una copia en el %3 de %4</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TransferSection</name>
    <message>
        <source>Transfers by direction and host memory</source>
        <translation>Transferencias por dirección y memoria del anfitrión</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>Copias</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Whole Recording</source>
        <translation>Toda la grabación</translation>
    </message>
    <message>
        <source>Count the whole recording again</source>
        <translation>Volver a contar toda la grabación</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>Transferencias</translation>
    </message>
    <message>
        <source>What the bars count</source>
        <translation>Qué cuentan las barras</translation>
    </message>
    <message>
        <source>By size</source>
        <translation>Por tamaño</translation>
    </message>
    <message>
        <source>Transfers by operation</source>
        <translation>Transferencias por operación</translation>
    </message>
    <message>
        <source>A range on the timeline can be looked at alone: select one there and press Transfers Here.</source>
        <translation>Se puede ver solo un intervalo de la línea de tiempo: selecciónelo allí y pulse Transferencias aquí.</translation>
    </message>
    <message>
        <source>In the selected %1 from %2 on</source>
        <translation>En el intervalo elegido de %1 desde %2</translation>
    </message>
    <message>
        <source>outside of operations</source>
        <translation>fuera de las operaciones</translation>
    </message>
    <message>
        <source>By operation and phase</source>
        <translation>Por operación y fase</translation>
    </message>
    <message>
        <source>selected range: %1 of wall time</source>
        <translation>intervalo seleccionado: %1 de tiempo real</translation>
    </message>
    <message>
        <source>whole recording: %1 of wall time</source>
        <translation>toda la grabación: %1 de tiempo real</translation>
    </message>
    <message>
        <source>%1, traced samples: %2 of wall time</source>
        <translation>%1, muestras trazadas: %2 de tiempo real</translation>
    </message>
</context>
<context>
    <name>heteroscope::ui::TransformsEditor</name>
    <message>
        <source>Add transform</source>
        <translation>Añadir transformación</translation>
    </message>
    <message>
        <source>Unknown transform</source>
        <translation>Transformación desconocida</translation>
    </message>
    <message>
        <source>Move %1 up</source>
        <translation>Subir %1</translation>
    </message>
    <message>
        <source>Move %1 down</source>
        <translation>Bajar %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Quitar %1</translation>
    </message>
</context>
</TS>
