#!/bin/sh
# Draws the figures of figures.list and writes ../README.md; make figures calls it. The
# results of long simulations are kept in recorded/*.gz. If such a file is missing, the
# simulation runs again. Usage: figures.sh [NN...], with turnproof on the PATH. With
# numbers, it draws only these figures and does not write ../README.md.
set -eu
cd "$(dirname "$0")"
only=" $* "
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
for f in recorded/*.gz; do
	[ ! -f "$f" ] || gunzip -c "$f" > "$kept/$(basename "$f" .gz)"
done

# page appends lines to the page.
page() { [ "$only" != "  " ] || printf '%s\n' "$@" >> "$kept/README.md"; }

# shown adds the current figure and its command to the page.
shown() {
	text=$(printf '%s' "$caption" | sed 's/\*/\\*/g') # up*/down* is not emphasis
	page "### Figure $number" "" "$text." "" "![$text]($file)" "" "    turnproof $1" ""
	[ -z "$differs" ] || page "$differs" ""
}

# wanted reports whether the current figure is to be drawn.
wanted() { case $only in "  " | *" $number "*) true ;; *) false ;; esac; }

page "# The figures of five papers" "" \
	"This page shows the figures of five papers on routing, drawn by turnproof. Below each figure is the command" \
	"that draws it, and how it differs from the figure of the paper. If the text of a paper does not give a network," \
	"we use our own. To draw the figures again, run \`make figures\`. It reads" \
	"[papers/figures.list](papers/figures.list), and runs the commands in the folder \`docs/figures/papers\` with two" \
	"more flags: \`--width 85\` (85 mm, a column of a paper) and \`-o\`." ""

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
