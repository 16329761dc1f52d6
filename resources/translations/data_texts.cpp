// SPDX-License-Identifier: Apache-2.0
// Labels and help of data sets and of transforms of images (compute/model), listed for lupdate like those of
// parameter_texts.cpp. Never compiled; a test compares the list with the schema.

QT_TRANSLATE_NOOP("Parameter", "Data")
QT_TRANSLATE_NOOP(
    "Parameter",
    "synthetic: one made-up batch from the seed, for timing steps. idx: files of the MNIST family. cifar10, "
    "cifar100: their binary files. image_folder: one folder a class. csv: a table. npy: NumPy arrays. "
    "shapes, brain_slices, irradiance_maps, irradiance_table: examples drawn from the seed.")
QT_TRANSLATE_NOOP("Parameter", "Training images")
QT_TRANSLATE_NOOP("Parameter", "IDX file, may be compressed with gzip; or .npy array, examples first, or "
                               "\"file.npz:name\". Relative to the experiment file.")
QT_TRANSLATE_NOOP("Parameter", "Training labels")
QT_TRANSLATE_NOOP("Parameter",
                  "IDX file with one byte an image; or .npy array with a number or row an example.")
QT_TRANSLATE_NOOP("Parameter", "Test images")
QT_TRANSLATE_NOOP("Parameter", "Never trained on; a share of the others when empty.")
QT_TRANSLATE_NOOP("Parameter", "Test labels")
QT_TRANSLATE_NOOP("Parameter", "As the training labels, for the test images.")
QT_TRANSLATE_NOOP("Parameter", "Folder")
QT_TRANSLATE_NOOP("Parameter", "CIFAR: data_batch_1.bin and so on, or train.bin. image_folder: one folder a "
                               "class, in order of their names, with PNG, JPEG, BMP or PGM files.")
QT_TRANSLATE_NOOP("Parameter", "Test folder")
QT_TRANSLATE_NOOP("Parameter", "The same classes; a share of the others when empty.")
QT_TRANSLATE_NOOP("Parameter", "Table")
QT_TRANSLATE_NOOP("Parameter", "Text with one example a line; relative to the experiment file.")
QT_TRANSLATE_NOOP("Parameter", "Test table")
QT_TRANSLATE_NOOP("Parameter", "The same columns; a share of the others when empty.")
QT_TRANSLATE_NOOP("Parameter", "Separator")
QT_TRANSLATE_NOOP("Parameter", "What stands between the cells of a line.")
QT_TRANSLATE_NOOP("Parameter", "Header line")
QT_TRANSLATE_NOOP("Parameter", "The first line names the columns.")
QT_TRANSLATE_NOOP("Parameter", "Feature columns")
QT_TRANSLATE_NOOP("Parameter",
                  "Names or numbers from 1, with commas; 2-5 is a range. Empty: all but the target.")
QT_TRANSLATE_NOOP("Parameter", "Target column")
QT_TRANSLATE_NOOP("Parameter", "Name or number from 1. Empty: the last column.")
QT_TRANSLATE_NOOP("Parameter", "Targets")
QT_TRANSLATE_NOOP("Parameter", "classes: each different value is a class. numbers: a regression.")
QT_TRANSLATE_NOOP("Parameter", "Examples")
QT_TRANSLATE_NOOP("Parameter", "How many are drawn to train and validate with.")
QT_TRANSLATE_NOOP("Parameter", "Test examples")
QT_TRANSLATE_NOOP("Parameter", "How many more are drawn to test with.")
QT_TRANSLATE_NOOP("Parameter", "Classes")
QT_TRANSLATE_NOOP("Parameter", "How many different shapes there are.")
QT_TRANSLATE_NOOP("Parameter", "Seed of the data")
QT_TRANSLATE_NOOP("Parameter", "Of drawn examples and of a shuffled split.")
QT_TRANSLATE_NOOP("Parameter", "Split")
QT_TRANSLATE_NOOP("Parameter",
                  "end: validation and test examples are the last ones of the files, as a forecast needs it. "
                  "shuffled: drawn from the seed. Folders of images are always shuffled.")
QT_TRANSLATE_NOOP("Parameter", "Validation share")
QT_TRANSLATE_NOOP("Parameter",
                  "Share of the training images, from their end, that is kept apart to watch the training.")
QT_TRANSLATE_NOOP("Parameter", "Test share")
QT_TRANSLATE_NOOP("Parameter",
                  "Share of the training images that is kept to test with when no test files are given.")
QT_TRANSLATE_NOOP("Parameter", "Training images used")
QT_TRANSLATE_NOOP("Parameter", "The first so many; 0 for all. Validation takes its share of them.")
QT_TRANSLATE_NOOP("Parameter", "Test images used")
QT_TRANSLATE_NOOP("Parameter", "The first so many; 0 for all.")
QT_TRANSLATE_NOOP("Parameter", "Mean")
QT_TRANSLATE_NOOP("Parameter",
                  "Taken off all values. Pixels of files lie between 0 and 1 before, numbers are as given.")
QT_TRANSLATE_NOOP("Parameter", "Deviation")
QT_TRANSLATE_NOOP("Parameter", "What all values are divided by after that.")
QT_TRANSLATE_NOOP("Parameter", "Transforms")
QT_TRANSLATE_NOOP("Parameter", "What happens to each image, in this order. Random ones change training "
                               "images in every epoch anew and leave validation and test images alone.")
QT_TRANSLATE_NOOP("Transform", "Resize")
QT_TRANSLATE_NOOP("Transform",
                  "To a height and width, by a triangle filter that averages where images shrink.")
QT_TRANSLATE_NOOP("Parameter", "Of the new image: one number, or [height, width].")
QT_TRANSLATE_NOOP("Transform", "Normalise")
QT_TRANSLATE_NOOP("Transform", "Each channel less its mean, divided by its deviation.")
QT_TRANSLATE_NOOP("Parameter", "Of each channel; left out, that of the training images.")
QT_TRANSLATE_NOOP("Transform", "Flip")
QT_TRANSLATE_NOOP("Transform", "Left and right change places in some images.")
QT_TRANSLATE_NOOP("Parameter", "Probability")
QT_TRANSLATE_NOOP("Parameter", "Share of the images that are flipped.")
QT_TRANSLATE_NOOP("Transform", "Rotate")
QT_TRANSLATE_NOOP("Transform", "About the middle by a random angle; corners that come in are 0.")
QT_TRANSLATE_NOOP("Parameter", "Largest angle")
QT_TRANSLATE_NOOP("Parameter", "Angles are drawn from minus this to this.")
QT_TRANSLATE_NOOP("Transform", "Padded crop")
QT_TRANSLATE_NOOP("Transform",
                  "Zeros are put around the image, and a part of its size is cut out at a random place.")
QT_TRANSLATE_NOOP("Parameter", "Rows and columns of zeros on each side.")
