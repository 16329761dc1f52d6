#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Starts a program of the unpacked archive with the libraries, resources and fonts that lie beside it.
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
