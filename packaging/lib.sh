# SPDX-License-Identifier: Apache-2.0
# Shared by run.sh, test.sh, package.sh and test_packages.sh: system check, packages, build. Source it; it changes to the project's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit 1
}

needs_value() { # OPTION [VALUE...]
    [ $# -ge 2 ] && [ -n "$2" ] || fail "$1 needs a value; see --help"
}

check_system() {
    local id="" version=""
    if [ -r /etc/os-release ]; then
        id=$(. /etc/os-release && printf '%s' "${ID:-}")
        version=$(. /etc/os-release && printf '%s' "${VERSION_ID:-}")
    fi
    case "$id $version" in
    "debian 12"* | "debian 13"* | "ubuntu 24.04"* | "ubuntu 24.10"* | "ubuntu 25."* | "ubuntu 26."*) ;;
    *) fail "this system is '${id:-unknown} ${version:-}'; Debian 12 or newer and Ubuntu 24.04 or newer are supported. Elsewhere, install what packaging/packages.txt lists and build with: cmake --preset release && cmake --build --preset release" ;;
    esac
    [ "$(uname -m)" = x86_64 ] || fail "this machine is $(uname -m); x86_64 is supported"
}

# A name with "?" is a package of its own in some releases only; elsewhere another one on the list has its files.
offered() { [ -n "$(apt-cache show "$1" 2>/dev/null)" ]; }

missing_packages() { # GROUP...
    local group package status
    while read -r group package _; do
        [[ " $* " == *" $group "* ]] || continue
        status=$(dpkg-query -W -f='${Status}' "${package%\?}" 2>/dev/null || true)
        [ "$status" != "install ok installed" ] || continue
        [ "$package" = "${package%\?}" ] || offered "${package%\?}" || continue
        printf '%s\n' "${package%\?}"
    done < <(grep -v '^#' packaging/packages.txt)
}

ensure_packages() { # GROUP...
    local missing=() sudo=() package reason
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "Heteroscope needs ${#missing[@]} system packages that are not installed yet:"
    for package in "${missing[@]}"; do
        reason=$(awk -v p="$package" '$2 == p || $2 == p "?" { $1 = ""; $2 = ""; sub(/^ +/, ""); print; exit }' packaging/packages.txt)
        printf '  %-24s %s\n' "$package" "$reason"
    done
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "installing packages needs root and there is no sudo; run as root: apt-get install ${missing[*]}"
        echo "They are installed with sudo, which may ask for your password."
        sudo=(sudo)
    fi
    local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q)
    "${apt[@]}" update || fail "apt-get update failed; see the lines above"
    mapfile -t missing < <(missing_packages "$@") # now that the lists say what is offered
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
        fail "apt-get could not install all packages; see the lines above"
}

jobs_for_memory() { # a C++ compilation takes up to 1.5 GB
    local cores memory
    cores=$(nproc)
    memory=$(awk '/MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    echo $((cores < memory ? cores : memory))
}

configure() { # PRESET [cmake option...]
    local preset=$1
    shift
    cmake --preset "$preset" "$@" >"build-$preset.log" 2>&1 || {
        tail -n 30 "build-$preset.log" >&2
        rm -f "build-$preset.log"
        fail "configuring failed; see the lines above"
    }
    rm -f "build-$preset.log"
}

build() { # PRESET [target...]
    local preset=$1
    shift
    cmake --build "build/$preset" -j "$(jobs_for_memory)" ${1:+--target "$@"} || fail "the build failed; see the lines above"
}

# What fuzz targets found elsewhere and tests/fuzz/keep_corpora.sh kept, where this one has nothing yet.
unpack_corpus() { # TARGET FOLDER
    local kept=tests/fuzz/corpus/$1.tar.gz
    [ ! -d "$2/$1" ] || return 0
    mkdir -p "$2/$1"
    [ ! -f "$kept" ] || tar -xzf "$kept" -C "$2/$1"
}

has_display() { [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; }

# A new folder on a file system in memory, where programs may be started, with this many KiB free there and three times that
# in memory.
folder_in_memory() { # KIB
    local folder free
    [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] || return 1
    free=$(df --output=avail /dev/shm | tail -n 1)
    [ "$free" -ge "$1" ] && [ "$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)" -ge $((3 * $1)) ] || return 1
    folder=$(mktemp -d /dev/shm/heteroscope-test-XXXXXX) || return 1
    if printf '#!/bin/sh\n' >"$folder/starts" && chmod +x "$folder/starts" && "$folder/starts" 2>/dev/null; then
        rm "$folder/starts"
        echo "$folder"
    else
        rm -rf "$folder"
        return 1
    fi
}
