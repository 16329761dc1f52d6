// SPDX-License-Identifier: Apache-2.0
// Labels and help of the parameter schema (compute/model), which knows no Qt, listed for lupdate. Never
// compiled; a test compares the list with the schema.

QT_TRANSLATE_NOOP("Parameter", "Padding")
QT_TRANSLATE_NOOP("Parameter", "Rows and columns added around the input: one number for all sides, [height, "
                               "width], or [top, bottom, left, right]. It must be smaller than the kernel.")
QT_TRANSLATE_NOOP("Parameter", "Pooling")
QT_TRANSLATE_NOOP("Parameter", "Mode")
QT_TRANSLATE_NOOP("Parameter", "What each window becomes: its largest element or its average.")
QT_TRANSLATE_NOOP("Parameter", "Kernel")
QT_TRANSLATE_NOOP("Parameter", "Size of the window: one number, or [height, width].")
QT_TRANSLATE_NOOP("Parameter", "Stride")
QT_TRANSLATE_NOOP("Parameter", "Step from one window to the next: one number, or [height, width].")
QT_TRANSLATE_NOOP("Parameter", "Padding counts as")
QT_TRANSLATE_NOOP("Parameter", "Minus infinity lets padding never win a maximum, as neural networks do; zero "
                               "is the method of some studies.")
QT_TRANSLATE_NOOP("Parameter", "Average over padding")
QT_TRANSLATE_NOOP("Parameter",
                  "Divide by the whole kernel area (true) or only by the elements inside the input (false).")
QT_TRANSLATE_NOOP("Parameter", "Strategy")
QT_TRANSLATE_NOOP(
    "Parameter",
    "image: the whole input is pooled at once. window: every window is copied to the device, multiplied "
    "there with an identity filter and copied back; slow on purpose, it shows what transfers cost.")
QT_TRANSLATE_NOOP("Parameter", "Backward pass")
QT_TRANSLATE_NOOP("Parameter", "Also compute the gradient of the input, as training a network needs it.")
QT_TRANSLATE_NOOP("Parameter", "Window strategy")
QT_TRANSLATE_NOOP("Parameter", "Product kernel")
QT_TRANSLATE_NOOP("Parameter",
                  "How a CUDA device multiplies each window; a processor has one way and ignores it.")
QT_TRANSLATE_NOOP("Parameter", "Identity filter")
QT_TRANSLATE_NOOP("Parameter",
                  "transferred: copied with every window; constant: copied once, one copy less per window.")
QT_TRANSLATE_NOOP("Parameter", "Matrix")
QT_TRANSLATE_NOOP("Parameter",
                  "The input typed in: a list of rows, each a list of numbers, all of one length.")
QT_TRANSLATE_NOOP("Parameter", "File")
QT_TRANSLATE_NOOP("Parameter",
                  "Image (PNG, JPEG, BMP, PGM, PPM) or .npy file; relative to the experiment file.")
QT_TRANSLATE_NOOP("Parameter", "Colour")
QT_TRANSLATE_NOOP("Parameter", "Read an image as one grey channel or as three: red, green, blue.")
QT_TRANSLATE_NOOP("Parameter", "Input")
QT_TRANSLATE_NOOP("Parameter", "Source")
QT_TRANSLATE_NOOP("Parameter", "Seeded random integers, a typed matrix, an image file or a NumPy file.")
QT_TRANSLATE_NOOP("Parameter", "Size")
QT_TRANSLATE_NOOP("Parameter", "Height and width of the input: one number, or [height, width].")
QT_TRANSLATE_NOOP("Parameter", "Channels")
QT_TRANSLATE_NOOP("Parameter", "Planes of each image; each is pooled on its own.")
QT_TRANSLATE_NOOP("Parameter", "Batch")
QT_TRANSLATE_NOOP("Parameter", "Images pooled together.")
QT_TRANSLATE_NOOP("Parameter", "Smallest value")
QT_TRANSLATE_NOOP("Parameter", "Smallest random integer.")
QT_TRANSLATE_NOOP("Parameter", "Largest value")
QT_TRANSLATE_NOOP("Parameter", "Largest random integer, itself included.")
QT_TRANSLATE_NOOP("Parameter", "Seed")
QT_TRANSLATE_NOOP("Parameter",
                  "The same seed gives the same numbers as numpy.random.seed(seed) and "
                  "numpy.random.randint(low, high + 1). It also seeds the weights of the backward pass.")
QT_TRANSLATE_NOOP("Parameter", "Matrix multiplication")
QT_TRANSLATE_NOOP("Parameter", "Rows of A (m)")
QT_TRANSLATE_NOOP("Parameter", "Rows of the left matrix and of the result.")
QT_TRANSLATE_NOOP("Parameter", "Columns of B (n)")
QT_TRANSLATE_NOOP("Parameter", "Columns of the right matrix and of the result.")
QT_TRANSLATE_NOOP("Parameter", "Inner size (k)")
QT_TRANSLATE_NOOP("Parameter", "Columns of the left matrix, which are the rows of the right one.")
QT_TRANSLATE_NOOP("Parameter", "Right matrix")
QT_TRANSLATE_NOOP("Parameter",
                  "Random numbers, or the identity matrix, with which the result must equal the left matrix.")
QT_TRANSLATE_NOOP("Parameter", "Seed of the random integers from 0 to 9 in both matrices.")
QT_TRANSLATE_NOOP("Parameter", "Samples")
QT_TRANSLATE_NOOP("Parameter",
                  "Timed samples of each run; left out, the preset decides when there are enough.")
QT_TRANSLATE_NOOP("Parameter", "Time limit per run")
QT_TRANSLATE_NOOP("Parameter",
                  "Sampling of a run ends after this time even when its interval is still wide. "
                  "Fresh processes share it. Left out: 10 s at quick, 6 s at standard, none at thesis.")
QT_TRANSLATE_NOOP("Parameter", "Preset")
QT_TRANSLATE_NOOP(
    "Parameter",
    "quick: 5 samples in one process. standard: at least 15 in 3 fresh processes, until the 95 % "
    "interval of the median is narrower than 1 % or the time limit is reached. thesis: 30 in 3 "
    "fresh processes.")
QT_TRANSLATE_NOOP("Parameter", "Fresh processes")
QT_TRANSLATE_NOOP(
    "Parameter",
    "Processes that take the samples, one after the other; left out, the preset decides. With fewer "
    "than 3 only runs whose medians differ by a quarter are told to be FASTER or SLOWER, and more than 3 "
    "find smaller differences. They share samples and time limit; a training on a dataset is trained "
    "anew in each.")
QT_TRANSLATE_NOOP("Parameter", "Time limit of the warm-up")
QT_TRANSLATE_NOOP("Parameter", "Each process warms a run up until none of three repetitions in a row is "
                               "faster than those before by 5 %, "
                               "at an equal clock of the GPU (within 1 %), or until this time. 0: no longer "
                               "than it takes to find how many "
                               "repetitions fill a sample. Left out: 1 s.")
QT_TRANSLATE_NOOP("Parameter", "Caches")
QT_TRANSLATE_NOOP(
    "Parameter",
    "warm: repetitions follow one another and find in the caches what the one before left there. "
    "flush: before each sample, and outside of its time, a buffer larger than the caches (L2 of "
    "a GPU, all of a processor) is written; a sample is then one repetition.")
QT_TRANSLATE_NOOP("Parameter", "Wait for a quiet machine")
QT_TRANSLATE_NOOP("Parameter",
                  "After a sample or a warm-up that was disturbed a run waits until other programs have left "
                  "the processors alone for a second, and is warmed up again. At most so many seconds in "
                  "all, of each run in each process. 0: it does not wait.")
QT_TRANSLATE_NOOP("Parameter", "Sampling")
QT_TRANSLATE_NOOP("Parameter", "elements")
QT_TRANSLATE_NOOP("Parameter", "s")
QT_TRANSLATE_NOOP("Parameter", "epochs")
QT_TRANSLATE_NOOP("Parameter", "steps")
QT_TRANSLATE_NOOP("Parameter", "degrees")
