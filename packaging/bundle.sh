#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One archive that runs unpacked on another x86-64 Linux; see --help.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: packaging/bundle.sh [--output FOLDER]

Builds the release and packs window, command line, Qt libraries and plugins, fonts
and examples into dist/heteroscope-VERSION-x86_64.tar.xz. Unpacked, it runs on any
x86-64 Linux with glibc 2.36 or newer, with or without a display:
  heteroscope-VERSION-x86_64/heteroscope        the window
  heteroscope-VERSION-x86_64/heteroscope-cli    the command line
TEXT
}

output=dist
while [ $# -gt 0 ]; do
    case "$1" in
    --output)
        [ $# -ge 2 ] || fail "--output needs a folder; see --help"
        output=$2
        shift
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) fail "unknown option '$1'; see --help" ;;
    esac
    shift
done

# What every system with glibc 2.36 has, or must have of its own: the C and C++ run time and the graphics driver's part.
is_system_library() {
    case "$1" in
    ld-linux* | libc.so* | libm.so* | libdl.so* | libpthread.so* | librt.so* | libresolv.so* | libutil.so* | \
        libstdc++.so* | libgcc_s.so* | libdrm* | libgbm* | libcuda.so* | libnvidia* | libvulkan*) return 0 ;;
    esac
    return 1
}

libraries_of() { # FILE...
    ldd "$@" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u
}

copy_libraries() { # FILE...: into $root/lib
    local library name
    while read -r library; do
        name=$(basename "$library")
        is_system_library "$name" || cp -Ln "$library" "$root/lib/"
    done < <(libraries_of "$@")
}

check_system
ensure_packages bundle
ensure_packages build window
configure release -DHETEROSCOPE_TESTS=OFF -DHETEROSCOPE_BENCHMARKS=OFF -DHETEROSCOPE_CUDA_ARCHITECTURES=all-major
build release heteroscope heteroscope-cli
version=$(sed -n 's/^project(heteroscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=heteroscope-$version-x86_64
root=$(mktemp -d)/$name
trap 'rm -rf "$(dirname "$root")"' EXIT
mkdir -p "$root"/{bin,lib,plugins,share/heteroscope,share/fonts,etc,share/licenses}

cp build/release/bin/heteroscope build/release/bin/heteroscope-cli "$root/bin/"
# What the command line loads while it runs; NVIDIA's own libraries are those of the machine it runs on.
if [ -d build/release/lib/heteroscope ]; then
    mkdir -p "$root/lib/heteroscope"
    cp build/release/lib/heteroscope/*.so "$root/lib/heteroscope/"
    strip "$root"/lib/heteroscope/*.so
fi
strip "$root"/bin/*

plugins=$(qtpaths6 --plugin-dir 2>/dev/null || qmake6 -query QT_INSTALL_PLUGINS)
for kind in platforms imageformats iconengines sqldrivers xcbglintegrations platforminputcontexts; do
    [ -d "$plugins/$kind" ] || continue
    mkdir -p "$root/plugins/$kind"
    cp "$plugins/$kind"/*.so "$root/plugins/$kind/"
done
find "$root/plugins/platforms" -name '*.so' ! -name 'libqxcb.so' ! -name 'libqoffscreen.so' ! -name 'libqminimal.so' \
    ! -name 'libqwayland*' -delete
find "$root/plugins/sqldrivers" -name '*.so' ! -name 'libqsqlite.so' -delete
cp -Ln "$(ldconfig -p | awk '/libQt6XcbQpa.so.6 / { print $NF; exit }')" "$root/lib/"
mapfile -t binaries < <(find "$root/bin" "$root/plugins" -type f)
copy_libraries "${binaries[@]}"

cp -r resources/examples resources/help resources/recorded "$root/share/heteroscope/"
cp /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold,Mono}.ttf "$root/share/fonts/" 2>/dev/null ||
    cp /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf "$root/share/fonts/"
cat >"$root/etc/fonts.conf" <<'XML'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">../share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
XML
printf '[Paths]\nPrefix=..\nPlugins=plugins\n' >"$root/bin/qt.conf"
cp LICENSE.* README.md "$root/share/licenses/"

for program in heteroscope heteroscope-cli; do
    cat >"$root/$program" <<'SH'
#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export HETEROSCOPE_RESOURCES="$here/share/heteroscope"
if [ -z "$FONTCONFIG_FILE" ] && [ ! -e /etc/fonts/fonts.conf ]; then
    export FONTCONFIG_FILE="$here/etc/fonts.conf"
fi
if [ -z "$DISPLAY$WAYLAND_DISPLAY$QT_QPA_PLATFORM" ]; then
    export QT_QPA_PLATFORM=offscreen
fi
exec "$here/bin/$(basename "$0")" "$@"
SH
    chmod +x "$root/$program"
done

mkdir -p "$output"
tar -C "$(dirname "$root")" -cJf "$output/$name.tar.xz" "$name"
echo "Written: $output/$name.tar.xz ($(du -h "$output/$name.tar.xz" | cut -f1))"
