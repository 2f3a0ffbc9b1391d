#!/bin/sh
# Makes the three faces of the theme from the variable fonts of Fontsource:
#   npm pack @fontsource-variable/inter@5.3.0 @fontsource-variable/newsreader@5.3.0 @fontsource-variable/jetbrains-mono@5.3.0
#   pip install fonttools brotli
#   make.sh FOLDER   (with inter/, newsreader/ and jetbrains-mono/, each an unpacked package)
# Latin-1, punctuation and arrows of Western languages; what else a page holds is drawn in the reader's own fonts.
set -eu
from=$1
here=$(dirname "$0")
text='U+20-7E,U+A0-FF,U+152,U+153,U+178,U+2013,U+2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2032,U+2039,U+203A,U+20AC,U+2122,U+2190-2193,U+21B5,U+2212,U+2215,U+2318,U+25B8,U+2713'
code='U+20-7E,U+A0,U+B7,U+E9,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026,U+2190,U+2192,U+2212,U+2713'

# face SOURCE CHARACTERS FEATURES AXES NAME
face() {
  pyftsubset "$from/$1" --unicodes="$2" --layout-features="$3" --no-hinting --notdef-outline --name-IDs='*' \
    --output-file="$here/$5.ttf"
  # shellcheck disable=SC2086
  fonttools varLib.instancer "$here/$5.ttf" $4 -o "$here/$5.cut.ttf"
  fonttools ttLib.woff2 compress "$here/$5.cut.ttf" -o "$here/$5.woff2"
  rm "$here/$5.ttf" "$here/$5.cut.ttf"
}

face inter/files/inter-latin-wght-normal.woff2 "$text" kern,ccmp,locl,mark,mkmk wght=400:600 sans
face newsreader/files/newsreader-latin-opsz-normal.woff2 "$text" kern,liga,ccmp,locl 'opsz=36 wght=500' serif
face jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2 "$code" ccmp wght=400 mono
