# SPDX-License-Identifier: Apache-2.0
# Sourced by package.sh: the control files of the Debian package.

# Libraries that Ubuntu 24.04 has under another name since its 64-bit time_t (the files are the same on x86-64).
kRenamedPackages="libqt6core6 libqt6gui6 libqt6widgets6 libqt6sql6 libqt6printsupport6 libqt6opengl6 libqt6openglwidgets6
libqt6dbus6 libqt6network6 libqt6concurrent6 libqt6test6 libqt6xml6 libzip4 libprotobuf32"

# "libzip4 (>= 1.0)" -> "libzip4 (>= 1.0) | libzip4t64 (>= 1.0)" for those.
with_alternatives() {
    local dependency name
    tr ',' '\n' | sed 's/^ *//; s/ *$//' | while read -r dependency; do
        name=${dependency%% *}
        if [[ " $(tr '\n' ' ' <<<"$kRenamedPackages") " == *" $name "* ]]; then
            dependency="$dependency | ${dependency/$name/${name}t64}"
        fi
        printf '%s\n' "$dependency"
    done | sort -u | paste -sd, | sed 's/,/, /g'
}

# What the programs and the libraries they bring along load. The modules for GPUs load NVIDIA's libraries, which are no
# Debian packages; the rest of what they need the programs need too.
library_dependencies() { # ROOT
    local folder=$work/shlibdeps library without=()
    for library in "$1"/usr/lib/heteroscope/*.so.*; do # what comes along is not asked of the system
        without+=("-x$(dpkg-query -S "*/$(basename "$library")" | sed 's/:.*//; q')")
    done
    mkdir -p "$folder/debian"
    printf 'Source: heteroscope\n\nPackage: heteroscope\nArchitecture: amd64\n' >"$folder/debian/control"
    (cd "$folder" && dpkg-shlibdeps -O --ignore-missing-info "${without[@]}" -S"$1" -l"$1/usr/lib/heteroscope" \
        "$1"/usr/bin/* "$1"/usr/lib/heteroscope/*.so.* 2>"$work/shlibdeps.log") | sed -n 's/^shlibs:Depends=//p'
}

write_control() { # ROOT
    local root=$1 depends gpu
    depends=$(library_dependencies "$root" | with_alternatives)
    [ -n "$depends" ] || {
        cat "$work/shlibdeps.log" >&2
        fail "dpkg-shlibdeps found no dependencies; see the lines above"
    }
    gpu=" This build has no modules for NVIDIA GPUs."
    [ -z "$cuda_version" ] || gpu=" With an NVIDIA GPU it needs the driver and the libraries of CUDA ${cuda_version%%.*}
 (cuBLAS, cuDNN 9, CUPTI), from NVIDIA; without them everything else works."
    mkdir -p "$root/DEBIAN"
    cat >"$root/DEBIAN/control" <<TEXT
Package: heteroscope
Version: $version
Architecture: amd64
Maintainer: The Heteroscope authors <maintainers@heteroscope.invalid>
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends, fonts-dejavu-core, libqt6sql6-sqlite
Recommends: qt6-wayland
Section: science
Priority: optional
Description: build, run and profile heterogeneous computing experiments
 Heteroscope compares implementations of the same operation (sequential C++,
 OpenMP, oneDNN; own CUDA kernels, cuBLAS, cuDNN) on the same data, checks that
 their results are equal, shows where the time goes, and turns measurements
 into figures. The window is heteroscope, the command line heteroscope-cli.
 .
$gpu
TEXT
    (cd "$root" && find usr -type f | sort | xargs -d '\n' md5sum) >"$root/DEBIAN/md5sums"
}
