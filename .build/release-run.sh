# shellcheck shell=sh disable=SC2154
# Sourced by release.sh. Runs the binaries that can run on this machine, and writes the notes.

# runner PLATFORM sets how to run a binary of the platform: run (the words before the command)
# and how (for the notes). It fails if this machine cannot run such binaries.
runner() {
	run='' how=''
	case $1 in
	"$(go env GOHOSTOS)/$(go env GOHOSTARCH)") how='run on this machine' ;;
	linux/arm64)
		run=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || return 1
		how="run by $($run --version | head -n 1)"
		;;
	windows/amd64) wine_runs || return 1 ;;
	*) return 1 ;;
	esac
}

# wine_runs sets up Wine in a temporary folder.
wine_runs() {
	[ "$(go env GOHOSTARCH)" = amd64 ] || return 1
	run=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null) || return 1
	export WINEPREFIX="$tmp/wine" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
	how="run by $($run --version)"
	timeout 120 "$run" wineboot -i >/dev/null 2>&1 || return 1
	# Go needs a function for random numbers that Wine 8.0 lacks. This library implements it with
	# an older function.
	dll=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
	if [ ! -e "$dll" ] && command -v x86_64-w64-mingw32-gcc >/dev/null; then
		cat >"$tmp/prng.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE b, SIZE_T n) { return SystemFunction036(b, (ULONG)n); }
C
		x86_64-w64-mingw32-gcc -shared -o "$dll" "$tmp/prng.c" -ladvapi32 && how="$how, which lacks ProcessPrng: with a stand-in for it"
	fi
}

stop_wine() {
	[ -d "$tmp/wine" ] || return 0
	server=$(command -v wineserver || ls /usr/lib/wine/wineserver64 2>/dev/null) || return 0
	WINEPREFIX="$tmp/wine" "$server" -k >/dev/null 2>&1 || :
}

# try FOLDER EXE runs the binaries of a folder: the version, a refuted routing,
# the checker on its certificate, and a figure that needs turnproof-layout. It prints
# the failure, if there is one.
try() (
	mkdir -p "$tmp/try"
	cd "$tmp/try" || exit
	rm -f c.json
	# shellcheck disable=SC2086
	{
		said=$(timeout 60 $run "$1/turnproof$2" version 2>&1) || { echo "version: $said"; return 1; }
		case $said in
		*"turnproof $version, "*) ;;
		*) echo "version: $said"; return 1 ;;
		esac
		status=0
		said=$(timeout 60 $run "$1/turnproof$2" check ring:4 --routing dor --certificate c.json 2>&1) || status=$?
		[ $status = 1 ] || { echo "check: status $status, 1 was expected: $said"; return 1; }
		said=$(timeout 60 $run "$1/turnproof-check$2" c.json 2>&1) || { echo "turnproof-check: $said"; return 1; }
		case $said in
		*refuted*) ;;
		*) echo "turnproof-check: $said"; return 1 ;;
		esac
		said=$(timeout 60 $run "$1/turnproof$2" draw network random:switches=6,degree=3 -o n.svg 2>&1) || { echo "draw: $said"; return 1; }
		[ "$3" != z3 ] || said=$(timeout 60 $run "$1/turnproof$2" check mesh:3x3 --routing dor --cross-check 2>&1) || { echo "cross-check: $said"; return 1; }
	}
)

# needs BINARY lists the system libraries that a binary needs.
needs() {
	objdump -p "$1" | awk '$1 == "NEEDED" { list = list sep $2; sep = ", " } END { printf "%s", list }'
	objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | sed 's/GLIBC_/; glibc /; s/$/ or later/'
}

# notes prints RELEASE.txt. The release fails if a binary that should run fails.
notes() {
	cat <<TEXT
turnproof $version
commit $commit, $(date -u -d "@$epoch" +%Y-%m-%d), $(go version | cut -d' ' -f3)

Archives hold turnproof, turnproof-check and turnproof-layout, the licence, the README and
completions for shells (a man page, if this version has one). Beside each archive lie the modules
that are in turnproof, and in turnproof-layout (_layout): as "go version -m" tells
(.buildinfo.txt), and as CycloneDX 1.5, checked against its schema (.cdx.json).
turnproof-check has none except Go's standard library.
SHA256SUMS has the sums of all files: sha256sum -c SHA256SUMS.

$twice

"Run" means: version; a check that is refuted, with status 1; turnproof-check on its
certificate; a figure laid out by turnproof-layout.
TEXT
	for platform in $PLATFORMS; do tried "$platform" ''; done
	if [ "$z3" = yes ]; then
		tried linux/amd64 _z3
		cat <<TEXT

The binary with Z3 is linked against the system's library, which Debian does not offer for
static linking. It wants $(needs "$tmp/first-stage/turnproof_${version}_linux_amd64_z3/turnproof")
(Debian 12: apt-get install libz3-4). Z3 is not in its list of modules. The others want
nothing, and have no "prove" and no "--cross-check".
TEXT
	else
		echo
		echo 'No binary with Z3 was built: Z3 was not found. "prove" and "--cross-check" want one.'
	fi
}

# tried PLATFORM SUFFIX prints a line of the notes: whether the binaries were run.
tried() {
	exe=''
	case $1 in windows/*) exe=.exe ;; esac
	folder=$tmp/first-stage/turnproof_${version}_$(echo "$1" | tr / _)$2
	if ! runner "$1"; then
		line='cross-compiled only, not run'
	elif wrong=$(try "$folder" "$exe" "${2#_}"); then
		line=$how
	elif [ -n "$run" ] && ! timeout 60 "$run" "$folder/turnproof$exe" version >/dev/null 2>&1; then
		line="cross-compiled only, not run: $($run --version | head -n 1) does not start it"
	else
		echo "release: $1$2: $wrong" >&2
		return 1
	fi
	printf '  %-20s %s\n' "$1$(echo "$2" | tr _ ' ')" "$line"
}
