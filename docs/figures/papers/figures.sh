#!/bin/sh
# Draws the papers' figures again, as figures.list says, and writes ../README.md; make
# figures calls it. What simulates for more than a minute is kept in recorded/*.gz, and
# is run again where that is removed. Usage: figures.sh [NN...], with turnproof on the
# PATH: only figures of these numbers, and no README.
set -eu
cd "$(dirname "$0")"
only=" $* "
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
for f in recorded/*.gz; do
	[ ! -f "$f" ] || gunzip -c "$f" > "$kept/$(basename "$f" .gz)"
done

# page adds to the gallery.
page() { [ "$only" != "  " ] || printf '%s\n' "$@" >> "$kept/README.md"; }

# shown puts the figure at hand on the page, with its command.
shown() {
	page "### Figure $number" "" "$caption." "" "![$caption]($file)" "" "    turnproof $1" ""
	[ -z "$differs" ] || page "$differs" ""
}

# wanted reports whether the figure at hand is asked for.
wanted() { case $only in "  " | *" $number "*) true ;; *) false ;; esac; }

page "# The papers' figures" "" \
	"Made by \`make figures\` from [papers/figures.list](papers/figures.list), 85 mm wide as the" \
	"column of a paper; the commands are run in \`docs/figures/papers\`, with \`--width 85\` and the" \
	"file's name besides. Networks that are not in a paper's text are ours." ""

while read -r word rest; do
	case $word in
	paper)
		paper=${rest%% *}
		mkdir -p "$paper"
		page "## ${rest#* }" ""
		;;
	figure) number=${rest%% *} caption=${rest#* } differs='' file=papers/$paper/figure-$number.svg ;;
	differs) differs=$rest ;;
	draw | wide)
		width=85
		[ "$word" = draw ] || width=178
		wanted && eval "turnproof draw $rest --width $width -o ../\$file"
		shown "draw $rest"
		;;
	set)
		title=${rest#* --title } made=${rest% --title *}
		if wanted; then
			eval "turnproof turns $made -o \$kept/set.json > /dev/null"
			eval "turnproof draw turns ${rest%% *} -r \$kept/set.json --hosts hidden --title $title --width 85 -o ../\$file"
		fi
		shown "turns $made -o set.json"
		;;
	reproduce)
		journal=${rest##*--journal }
		if wanted; then
			case $rest in
			*--journal*)
				eval "turnproof reproduce ${rest%--journal *} --journal \$kept/\$journal --width 85 --figure ../\$file > \$kept/out"
				if [ ! -f "recorded/$journal.gz" ]; then
					mkdir -p recorded
					gzip -9 -n -c "$kept/$journal" > "recorded/$journal.gz"
				fi
				;;
			*) eval "turnproof reproduce $rest --width 85 --figure ../\$file > \$kept/out" ;;
			esac
		fi
		shown "reproduce $rest"
		;;
	none) page "### Figure $number" "" "$caption. Not drawn: $rest." "" ;;
	esac
done < figures.list
[ "$only" != "  " ] || cp "$kept/README.md" ../README.md
