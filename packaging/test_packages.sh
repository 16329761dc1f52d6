#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the packages and installs each in a fresh root; see --help.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: packaging/test_packages.sh [--rebuild | --here FOLDER] [option of package.sh...]

Makes the packages with package.sh, signed with a key made for the purpose, and tests
them as root, in folders that are removed afterwards:
  * SHA256SUMS and its signature
  * desktop entry, icon, AppStream data, MIME type, manual pages and the completions of
    three shells, with their own checkers
  * the Debian package in a fresh root of Debian 12 with its dependencies: self-test of
    both programs, the demo study, a picture of the window without a display; after its
    removal no file is left or changed
  * the archive in another fresh root, with nothing else installed: the same

  --rebuild   instead: packs the commit from two folders, without a compiler cache, and
              compares the bits
  --here FOLDER
              instead: tests what lies there, one of the packages or both, on this machine as
              it is, whatever Linux it has, without roots: the archive as above; of the Debian
              package, unpacked, that it depends on a package for every library that is not
              found, and its command line where all of its libraries are;
              as root, with both and where it is not installed, also the Debian package as
              dpkg installs it, with the archive's libraries for those that are not here, and
              what is left after its removal
  --help      this text

The roots come from the apt sources of this machine, which must offer Debian 12; roots of
Ubuntu are not made: there, make the packages on Debian 12 and test them with --here.
TEXT
}

rebuild=no
here=""
arguments=()
while [ $# -gt 0 ]; do
    case "$1" in
    --rebuild) rebuild=yes ;;
    --here) needs_value "$@" && here=$2 && shift ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) arguments+=("$1") ;;
    esac
    shift
done
[ -z "$here" ] || [ ${#arguments[@]} -eq 0 ] || fail "--here makes no packages and takes no ${arguments[0]}; see --help"
[ -z "$here" ] || [ "$rebuild" = no ] || fail "--here and --rebuild exclude each other; see --help"

passed() { echo "passed: $1"; }

test_rebuild() {
    local folder commit
    commit=$(git rev-parse HEAD) # which may move while the first one is built
    for folder in first a/second/and-longer; do
        git clone -q --no-hardlinks . "$work/$folder"
        git -C "$work/$folder" checkout -q --detach "$commit"
        CCACHE_DISABLE=1 "$work/$folder/packaging/package.sh" "${arguments[@]}" --output "$work/$folder/dist" ||
            fail "packing in $folder failed; see the lines above"
    done
    diff "$work/first/dist/SHA256SUMS" "$work/a/second/and-longer/dist/SHA256SUMS" || {
        trap - EXIT
        fail "two builds of one commit differ; compare what lies in $work, with diffoscope for instance"
    }
    cat "$work/first/dist/SHA256SUMS"
    passed "two folders, the same bits"
}

make_packages() {
    export GNUPGHOME=$work/keys
    mkdir -m 700 "$GNUPGHOME"
    gpg --batch --quiet --passphrase '' --quick-gen-key "Test <test@heteroscope.invalid>" default default 1d
    packaging/package.sh "${arguments[@]}" --output "$work/dist" --sign test@heteroscope.invalid
    (cd "$work/dist" && sha256sum --quiet -c SHA256SUMS && gpg --quiet --verify SHA256SUMS.asc SHA256SUMS)
    echo >>"$work/dist/SHA256SUMS"
    ! gpg --quiet --verify "$work/dist/SHA256SUMS.asc" "$work/dist/SHA256SUMS" 2>/dev/null ||
        fail "a list of checksums that was changed has a good signature"
    gpgconf --kill all
    passed "checksums and signature"
}

# Where each shell looks for them, each as its shell reads it and for this program.
test_completions() { # FOLDER of usr/share
    local shell file program
    while read -r shell file program; do
        [ -s "$1/$file" ] || fail "the completion of $program for $shell is not installed as $file"
        "$shell" -n "$1/$file" || fail "$shell cannot read $file"
        grep -Eq "^#compdef $program\$|complete -c $program |^complete .* $program\$" "$1/$file" ||
            fail "$file is for another program than $program"
    done <<'TEXT'
bash bash-completion/completions/heteroscope-cli heteroscope-cli
fish fish/vendor_completions.d/heteroscope-cli.fish heteroscope-cli
zsh zsh/vendor-completions/_heteroscope-cli heteroscope-cli
bash bash-completion/completions/heteroscope heteroscope
fish fish/vendor_completions.d/heteroscope.fish heteroscope
zsh zsh/vendor-completions/_heteroscope heteroscope
TEXT
}

# The one that the desktop entry names, as a picture.
test_icon() { # FOLDER of usr/share
    local name icon
    name=$(sed -n 's/^Icon=//p' "$1"/applications/*.desktop)
    icon=$1/icons/hicolor/scalable/apps/$name.svg
    [ -n "$name" ] && [ -s "$icon" ] || fail "the icon '$name' of the desktop entry is not installed as $icon"
    python3 -c 'import sys, xml.etree.ElementTree as tree; assert tree.parse(sys.argv[1]).getroot().tag.endswith("}svg")' "$icon" ||
        fail "$icon is no SVG picture"
}

test_documents() { # ROOT of the package, unpacked
    local share=$1/usr/share page
    test_completions "$share"
    test_icon "$share"
    desktop-file-validate "$share"/applications/*.desktop
    appstreamcli validate --no-net "$share"/metainfo/*.xml
    for page in "$share"/man/man1/*.1.gz; do
        [ -z "$(man --warnings -l -Tutf8 "$page" 2>&1 >/dev/null)" ] || fail "$page: man complains of it"
    done
    [ "$(ls "$share/man/man1")" = $'heteroscope-cli.1.gz\nheteroscope.1.gz' ] || fail "manual pages are missing"
    cp -r "$share/mime" "$work/mime-data-mime"
    mkdir -p "$work/mime-data" && mv "$work/mime-data-mime" "$work/mime-data/mime"
    update-mime-database "$work/mime-data/mime"
    cp "$share/heteroscope/recorded/models_h100.hscope" "$work/named-otherwise"
    XDG_DATA_HOME=$work/mime-data gio info -a standard::content-type "$work/named-otherwise" |
        grep -q 'application/x-heteroscope-run$' || fail "a run file is not recognised by its first bytes"
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["bomFormat"] == "CycloneDX" and len(d["components"]) > 10' \
        "$share/doc/heteroscope/sbom.cdx.json" || fail "the bill of materials has less than it must"
    passed "desktop entry, icon, AppStream data, MIME type, manual pages, completions, bill of materials"
}

# A root that holds no more than Debian calls required, and apt.
fresh_root() { # FOLDER
    [ -f "$work/root.tar" ] ||
        mmdebstrap --quiet --variant=minbase --mode=root bookworm "$work/root.tar" /etc/apt/sources.list.d/debian.sources ||
        fail "no root of Debian 12 could be made; /etc/apt/sources.list.d/debian.sources must offer bookworm"
    mkdir -p "$1"
    tar -C "$1" -xf "$work/root.tar"
    cp /etc/resolv.conf /etc/hosts "$1/etc/"
    mount -t proc proc "$1/proc"
    mounted+=("$1/proc")
    in_root "$1" useradd -m tester
}

in_root() { # ROOT COMMAND...
    local root=$1
    shift
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

as_tester() { # ROOT SHELL-COMMAND
    if [ -n "$here" ]; then
        (cd "$1/home/tester" && env -i PATH="$PATH" HOME="$PWD" LC_ALL=C.UTF-8 sh -c "$2") || fail "on this machine: $2"
    else
        in_root "$1" su tester -c "cd /home/tester && $2" || fail "in the fresh root: $2"
    fi
}

# What a person does first, by the names of the two programs.
test_programs() { # ROOT WINDOW CLI EXAMPLES
    local root=$1 window=$2 cli=$3
    as_tester "$root" "$cli self-test"
    as_tester "$root" "$cli run $4/demo.json --out demo.hscope --csv demo.csv >table.txt 2>/dev/null"
    grep -q 'cpu/onednn.*2048\|2048.*cpu/onednn' "$root/home/tester/table.txt" || fail "the demo study's table lacks a run"
    as_tester "$root" "$window --version"
    as_tester "$root" "QT_QPA_PLATFORM=offscreen $window --demo --mode build --size 1200x800 --screenshot build.png"
    [ "$(head -c 8 "$root/home/tester/build.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] &&
        [ "$(stat -c %s "$root/home/tester/build.png")" -gt 20000 ] || fail "the picture of the window is empty"
    as_tester "$root" "$window --self-test"
    as_tester "$root" "QT_QPA_PLATFORM=offscreen $window --report report --runs demo.hscope && test -s report/report.html"
}

files_of() { # ROOT: what packages may not leave behind or change
    (cd "$1" && find . -xdev \( -path ./proc -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./var/cache -o -path ./tmp \
        -o -path ./home/tester \) -prune -o \( -type f -printf '%p %s\n' -o ! -type d -print -o -type d -printf '%p\n' \) | sort)
}

test_deb() {
    local root=$work/deb-root deb
    deb=$(ls "$work"/dist/*.deb)
    fresh_root "$root"
    in_root "$root" apt-get -q update
    in_root "$root" apt-get -q install -y --no-install-recommends man-db
    in_root "$root" apt-get -q satisfy -y --no-install-recommends "$(dpkg-deb -f "$deb" Depends)" >"$work/apt.log" 2>&1 || {
        tail -n 20 "$work/apt.log" >&2
        fail "the package's dependencies cannot be installed; see the lines above"
    }
    files_of "$root" >"$work/before"
    cp "$deb" "$root/tmp/heteroscope.deb"
    in_root "$root" dpkg -i /tmp/heteroscope.deb
    test_programs "$root" heteroscope heteroscope-cli /usr/share/heteroscope/examples
    in_root "$root" dpkg --purge heteroscope
    files_of "$root" >"$work/after"
    diff "$work/before" "$work/after" || fail "the removed package left or changed the files above"
    passed "the Debian package in a fresh root of Debian 12"
}

test_archive() { # ROOT that has been made
    local root=$1 name
    tar -C "$root/home/tester" -xf "$work"/dist/*.tar.xz
    name=$(ls "$root/home/tester")
    test_programs "$root" "./$name/heteroscope" "./$name/heteroscope-cli" "$name/share/heteroscope/examples"
    passed "the archive $2"
}

# The libraries of the Debian package's programs that this machine has not: "libQt6Gui.so.6" is of the package "libqt6gui6".
# What the package depends on may be missing here, where nothing can be installed; what it does not may not.
test_unpacked_deb() {
    local root=$work/deb-root deb depends program library package
    deb=$(ls "$work"/dist/*.deb)
    mkdir -p "$root/home/tester"
    dpkg-deb -x "$deb" "$root"
    depends=$(dpkg-deb -f "$deb" Depends)
    for program in "$root"/usr/bin/*; do
        while read -r library; do
            package=$(sed -E 's/\.so\.?/-/; s/-$//; s/([^0-9])-([0-9]+)$/\1\2/' <<<"${library,,}")
            grep -Eq "(^|[ ,])${package//+/[+]}(-[a-z0-9]+)?([ ,]|\$)" <<<"$depends" ||
                fail "$(basename "$program") needs $library, which is not here, and the package depends on nothing that has it: $depends"
            echo "not here: $library of $package, which the Debian package depends on"
        done < <(ldd "$program" | sed -n 's/^\t\(.*\) => not found$/\1/p' | sort -u)
    done
    if ldd "$root/usr/bin/heteroscope-cli" | grep -q 'not found'; then
        passed "the Debian package's dependencies on $system; for want of them its programs were not run"
        return
    fi
    as_tester "$root" "$root/usr/bin/heteroscope-cli self-test"
    as_tester "$root" "$root/usr/bin/heteroscope-cli run $root/usr/share/heteroscope/examples/demo.json --out demo.hscope >table.txt 2>/dev/null"
    grep -q 'cpu/onednn' "$root/home/tester/table.txt" || fail "the demo study's table lacks a run"
    passed "the Debian package's command line on $system"
}

# As dpkg installs it here, though packages that it depends on cannot be had: the archive has their libraries.
test_installed_deb() { # FOLDER of the archive, unpacked
    local deb root=$work/installed-root file
    deb=$(ls "$work"/dist/*.deb)
    local -a with=(env "LD_LIBRARY_PATH=$1/lib" "QT_PLUGIN_PATH=$1/plugins")
    mkdir -p "$root/home/tester"
    installed=yes
    dpkg --force-depends -i "$deb" >"$work/dpkg.log" 2>&1 || {
        cat "$work/dpkg.log" >&2
        fail "dpkg cannot install the package; see the lines above"
    }
    test_programs "$root" "${with[*]} heteroscope" "${with[*]} heteroscope-cli" /usr/share/heteroscope/examples
    dpkg -L heteroscope >"$work/installed-files"
    dpkg --purge heteroscope >"$work/dpkg.log" 2>&1 || fail "dpkg cannot remove the package: $(cat "$work/dpkg.log")"
    installed=no
    while read -r file; do
        [[ $file != *heteroscope* ]] || [ ! -e "$file" ] || fail "the removed package left $file"
    done <"$work/installed-files"
    passed "the Debian package installed on $system, with libraries of the archive for those that are not here"
}

test_here() {
    local system archive
    system=$(. /etc/os-release && printf '%s' "$PRETTY_NAME")
    mkdir "$work/dist" "$work/archive-root"
    cp "$here"/* "$work/dist/" || fail "--here needs the folder that package.sh wrote into, and $here is none"
    (cd "$work/dist" && sha256sum --quiet --ignore-missing -c SHA256SUMS)
    passed "checksums"
    if compgen -G "$work/dist/*.tar.xz" >/dev/null; then
        mkdir -p "$work/archive-root/home/tester"
        test_archive "$work/archive-root" "on $system"
    fi
    if compgen -G "$work/dist/*.deb" >/dev/null; then
        test_unpacked_deb
        archive=$(compgen -G "$work/archive-root/home/tester/heteroscope-*/" || true)
        if [ -z "$archive" ] || [ "$(id -u)" -ne 0 ] || dpkg -s heteroscope >/dev/null 2>&1; then
            echo "The Debian package was not installed: that takes root, the archive beside it, and a machine that has it not."
        else
            test_installed_deb "${archive%/}"
        fi
    fi
    echo "All tests of the packages on $system passed."
}

clean_up() {
    local folder
    for folder in "${mounted[@]}"; do umount "$folder"; done
    [ "$installed" = no ] || dpkg --purge heteroscope >/dev/null 2>&1 || true
    rm -rf "$work"
}

work=$(mktemp -d)
mounted=()
installed=no
trap clean_up EXIT
if [ "$rebuild" = yes ]; then
    test_rebuild
    exit 0
fi
if [ -n "$here" ]; then
    test_here
    exit 0
fi
[ "$(id -u)" -eq 0 ] || fail "fresh roots need root; run it with sudo"
ensure_packages package package-test
make_packages
mkdir "$work/unpacked"
dpkg-deb -x "$work"/dist/*.deb "$work/unpacked"
test_documents "$work/unpacked"
test_deb
fresh_root "$work/archive-root"
test_archive "$work/archive-root" "in a fresh root of Debian 12"
echo "All tests of the packages passed. Those of other systems are run there, with --here."
