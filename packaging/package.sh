#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Debian package and the portable archive, from one build; see --help.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. packaging/deb.sh

usage() {
    cat <<'TEXT'
Usage: packaging/package.sh [--archs LIST] [--no-gpu] [--output FOLDER] [--sign KEY]

Builds the preset "package" and writes into dist/:
  heteroscope_VERSION_amd64.deb          for Debian 12 and Ubuntu 24.04, when built on
                                         Debian 12; for what it was built on, elsewhere
  heteroscope-VERSION-x86_64.tar.xz      unpacked, runs on any x86-64 Linux with glibc
                                         2.36, libstdc++ and no more, display or not
  SHA256SUMS                             of both; signed as SHA256SUMS.asc with --sign

The same commit gives the same bits, in whatever folder it is built with the same
packages. Without nvcc the packages hold no modules for GPUs, and that is said.

  --archs LIST     GPU architectures, as CMAKE_CUDA_ARCHITECTURES; default: all-major.
                   90-real builds much faster, for trying out the packages
  --no-gpu         leave the modules for GPUs out
  --output FOLDER  instead of dist
  --sign KEY       a key of gpg's: its fingerprint or address
  --help           this text
TEXT
}

archs=all-major
cuda=AUTO
output=dist
key=""
while [ $# -gt 0 ]; do
    case "$1" in
    --archs) needs_value "$@" && archs=$2 && shift ;;
    --output) needs_value "$@" && output=$2 && shift ;;
    --sign) needs_value "$@" && key=$2 && shift ;;
    --no-gpu) cuda=OFF ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) fail "unknown option '$1'; see --help" ;;
    esac
    shift
done

# The instant that every file and document carries: that of the commit.
commit_time() {
    git log -1 --format=%ct 2>/dev/null ||
        fail "the packages carry the time of the commit, and this folder is no git checkout; clone the repository"
}

install_component() { # COMPONENT PREFIX: with DESTDIR as the caller has it
    cmake --install "$build_folder" --strip --component "$1" --prefix "$2" >>"$work/install.log" ||
        fail "installing $1 failed; see the lines above"
}

# Times and modes that say nothing of when and by whom it was built.
settle() { # FOLDER
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -type f -perm /111 -exec chmod 755 {} +
    find "$1" -type f ! -perm /111 -exec chmod 644 {} +
    find "$1" -name '*.so*' -type f -exec chmod 644 {} +
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

write_bill() { # ROOT DOCS
    python3 -B packaging/sbom.py --root "$1" --docs "$2" --version "$version" --commit "$(git rev-parse HEAD)" \
        --epoch "$SOURCE_DATE_EPOCH" --cuda "$cuda_version" || fail "the bill of materials could not be written"
}

make_archive() {
    local name=heteroscope-$version-x86_64
    local root=$work/$name
    install_component program "$root"
    install_component private-libraries "$root"
    install_component archive "$root"
    write_bill "$root" "$root/share/doc/heteroscope"
    settle "$root"
    # One thread: with more, xz cuts the data as many ways as there are processors.
    tar -C "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        -cf - "$name" | xz -6 -T1 >"$output/$name.tar.xz"
    cp "$root/share/doc/heteroscope/sbom.cdx.json" "$output/$name.cdx.json"
    files+=("$name.tar.xz" "$name.cdx.json")
}

make_package() {
    local root=$work/deb
    DESTDIR=$root install_component program /usr
    DESTDIR=$root install_component private-libraries /usr
    write_bill "$root" "$root/usr/share/doc/heteroscope"
    gzip -9n "$root"/usr/share/man/man1/*.1
    write_control "$root"
    settle "$root"
    dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$root" \
        "$output/heteroscope_${version}_amd64.deb" >/dev/null || fail "dpkg-deb failed; see the lines above"
    files+=("heteroscope_${version}_amd64.deb")
}

sign() {
    (cd "$output" && sha256sum "${files[@]}" >SHA256SUMS)
    [ -n "$key" ] || return 0
    gpg --batch --yes --local-user "$key" --armor --detach-sign --output "$output/SHA256SUMS.asc" "$output/SHA256SUMS" ||
        fail "gpg could not sign with the key '$key'; gpg --list-secret-keys shows which there are"
}

umask 022
check_system
ensure_packages build window package
SOURCE_DATE_EPOCH=$(commit_time)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
[ -z "$(git status --porcelain)" ] ||
    echo "package.sh: warning: there are changes that are not committed; the packages hold them under the commit's name" >&2
build_folder=build/package
configure package -UCMAKE_CUDA_ARCHITECTURES -DHETEROSCOPE_CUDA="$cuda" -DHETEROSCOPE_CUDA_ARCHITECTURES="$archs"
build package
version=$(sed -n 's/^project(heteroscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
cuda_version=$(sed -n 's/^CMAKE_CUDA_COMPILER_TOOLKIT_VERSION:[^=]*=//p; s/^set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION "\(.*\)")$/\1/p' \
    "$build_folder"/CMakeFiles/*/CMakeCUDACompiler.cmake 2>/dev/null || true)
ls "$build_folder"/lib/heteroscope/*.so >/dev/null 2>&1 || {
    cuda_version=""
    echo "package.sh: the packages hold no modules for NVIDIA GPUs: $([ "$cuda" = OFF ] && echo "--no-gpu was given" ||
        echo "CUDA's compiler (nvcc, toolkit 12 or newer) was not found")"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$output"
rm -f "$output"/SHA256SUMS "$output"/SHA256SUMS.asc
files=()
make_package
make_archive
sign
echo "Written into $output:"
(cd "$output" && cat SHA256SUMS && du -h "${files[@]}" && ls SHA256SUMS*)
