#!/bin/sh
# Installs the programs in a folder, their manual pages, shell completions, and the scripts that collect dumps.
#
#	install.sh BIN [FOLDER]
#
# PREFIX is the folder in which programs look for each other (default: /usr/local); DESTDIR is put before it, for packages. Made are
#	PREFIX/bin                       turnproof, turnproof-check, turnproof-layout
#	PREFIX/share/man/man1            turnproof.1, a page for each command but check, turnproof-check.1
#	PREFIX/share/bash-completion, zsh, fish
#	PREFIX/share/doc/turnproof       LICENSE, README.md, CHANGELOG.md
#	PREFIX/share/turnproof           collect.sh, collect-ethernet.sh, load.sh
# "install.sh --remove" removes these again.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
prefix=${DESTDIR:-}${PREFIX:-/usr/local}
man=$prefix/share/man/man1
umask 022

if [ "${1:-}" = --remove ]; then
	rm -f "$prefix/bin/turnproof" "$prefix/bin/turnproof-check" "$prefix/bin/turnproof-layout" "$man"/turnproof.1 "$man"/turnproof-*.1 \
		"$prefix/share/bash-completion/completions/turnproof" "$prefix/share/zsh/site-functions/_turnproof" \
		"$prefix/share/fish/vendor_completions.d/turnproof.fish"
	rm -rf "$prefix/share/doc/turnproof" "$prefix/share/turnproof"
	exit 0
fi
bin=${1:?usage: install.sh BIN, a folder with the programs; or --remove}

# put MODE FOLDER FILE... copies files.
put() {
	mode=$1 folder=$2
	shift 2
	mkdir -p "$folder"
	for file; do
		# A program that runs cannot be overwritten, but it can be replaced.
		cp "$file" "$folder/.turnproof.new"
		chmod "$mode" "$folder/.turnproof.new"
		mv -f "$folder/.turnproof.new" "$folder/$(basename "$file")"
	done
}

for program in turnproof turnproof-check turnproof-layout; do
	[ -x "$bin/$program" ] || { echo "install: no $bin/$program; make build" >&2; exit 1; }
	put 755 "$prefix/bin" "$bin/$program"
done
put 644 "$prefix/share/doc/turnproof" "$root/LICENSE" "$root/README.md" "$root/CHANGELOG.md"
put 755 "$prefix/share/turnproof" "$root/examples/collect/collect.sh" "$root/examples/collect/collect-ethernet.sh" "$root/examples/opensm-tables/load.sh"

# words COMMAND... prints what turnproof prints, without the user's defaults.
words() { "$bin/turnproof" --config '' "$@"; }

mkdir -p "$man" "$prefix/share/bash-completion/completions" "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
words man >"$man/turnproof.1"
for command in $(words help | sed -n '/^COMMANDS/,/^GLOBAL/s/^   \([a-z][a-z]*\) .*/\1/p'); do
	[ "$command" != check ] || continue # turnproof-check.1 is the page of the program; turnproof.1 has the command
	words man "$command" >"$man/turnproof-$command.1"
done
"$bin/turnproof-check" --help | awk '
	BEGIN { print ".TH \"TURNPROOF\\-CHECK\" 1 \"\" \"\" \"turnproof\"\n.SH NAME\nturnproof\\-check \\- check certificates of turnproof\n.SH DESCRIPTION\n.nf" }
	{ gsub(/\\/, "\\e"); gsub(/-/, "\\-"); if (/^\./) $0 = "\\&" $0; print }
	END { print ".fi\n.SH SEE ALSO\nturnproof(1)" }' >"$man/turnproof-check.1"
words completion bash >"$prefix/share/bash-completion/completions/turnproof"
words completion zsh >"$prefix/share/zsh/site-functions/_turnproof"
words completion fish >"$prefix/share/fish/vendor_completions.d/turnproof.fish"
