#!/bin/sh
# Builds the archives of a release in dist, from the commit that is checked out, without
# uncommitted changes. Everything is built twice, in two folders and the second time without Go's
# cache; both builds must have the same bytes. Binaries that can run on this machine are run, and
# RELEASE.txt lists them.
#
#	sh .build/release.sh [FOLDER]
#
# PLATFORMS='linux/amd64 windows/amd64' selects platforms; ONCE=1 leaves out the second build.
# Needs git, Go, GNU tar, gzip, zip; C and Z3 for the binary with Z3; qemu-user and Wine to
# run binaries for other machines (Debian: zip libz3-dev qemu-user-static wine64, and for
# Debian 12's Wine gcc-mingw-w64-x86-64-win32).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR
. "$here/find-z3.sh"
# shellcheck source-path=SCRIPTDIR
. "$here/release-run.sh"

fail() {
	echo "release: $*" >&2
	exit 1
}
say() { echo "release: $*" >&2; }

for tool in git go tar gzip zip sha256sum timeout; do
	command -v $tool >/dev/null || fail "no $tool here"
done
tar --version 2>/dev/null | grep -q GNU || fail 'GNU tar is wanted'

root=$(cd "$here/.." && pwd)
commit=$(git -C "$root" rev-parse HEAD)
version=$(git -C "$root" describe --tags --always HEAD)
epoch=$(git -C "$root" log -1 --format=%ct HEAD)
dist=${1:-$root/dist}
: "${PLATFORMS:=linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}"
[ -z "$(git -C "$root" status --porcelain)" ] || say "uncommitted changes are left out"

# Variables that would change the bytes.
umask 022
export TZ=UTC LC_ALL=C GOFLAGS='' GOEXPERIMENT='' GOAMD64=v1 GOARM64=v8.0 SOURCE_DATE_EPOCH="$epoch"
unset CGO_CFLAGS CGO_CXXFLAGS CGO_CPPFLAGS CGO_LDFLAGS

tmp=$(mktemp -d)
# Go's modules and caches are write-protected.
trap 'stop_wine; chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# clone FOLDER clones the repository at this commit.
clone() {
	git clone -q --no-checkout "$root" "$1" && git -C "$1" checkout -q --detach "$commit"
}

# build OUTPUT PACKAGE [FLAG...] builds in the current folder.
build() {
	output=$1 package=$2
	shift 2
	go build -trimpath -buildvcs=true -ldflags "-s -w -buildid= -X main.version=$version" "$@" -o "$output" "$package"
}

# extras FOLDER adds the documents for users, and shell completions if the program has them.
extras() {
	cp LICENSE README.md "$1/"
	for shell in bash zsh fish; do
		"$tmp/host" completion $shell >"$tmp/words" 2>/dev/null || continue
		mkdir -p "$1/completions"
		case $shell in zsh) file=_turnproof ;; *) file=turnproof.$shell ;; esac
		cp "$tmp/words" "$1/completions/$file"
	done
	for words in man 'help --man'; do
		# shellcheck disable=SC2086
		"$tmp/host" $words >"$tmp/page" 2>/dev/null || continue
		head -n 5 "$tmp/page" | grep -q '^\.TH ' || continue
		mkdir -p "$1/man"
		cp "$tmp/page" "$1/man/turnproof.1"
		break
	done
}

# pack NAME ARCHIVE packs a folder of the current folder. All files get the time of the commit.
pack() {
	find "$1" -exec touch -h -d "@$epoch" {} +
	case $2 in
	*.zip) find "$1" | sort | zip -q -X -@ "$2" ;;
	*) tar --sort=name --format=ustar --mtime="@$epoch" --owner=0 --group=0 --numeric-owner -cf - "$1" | gzip -9n >"$2" ;;
	esac
}

# facts NAME BINARY FILE writes the modules in a binary, in the form of go version -m and as CycloneDX.
facts() {
	go version -m "$2" | sed "1s|^.*: |$1: |" >"$3.buildinfo.txt"
	"$tmp/cyclonedx-gomod" bin -json -std -noserial -version "$version" -output "$tmp/bom.json" "$2" >/dev/null 2>"$tmp/said" || fail "cyclonedx-gomod: $(cat "$tmp/said")"
	sed "s|\"timestamp\": \"[^\"]*\"|\"timestamp\": \"$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)\"|" "$tmp/bom.json" >"$3.cdx.json"
	"$tmp/jv" -q -m "http://cyclonedx.org/schema=$tmp/schema" "$tmp/schema/bom-1.5.schema.json" "$3.cdx.json" >"$tmp/said" 2>&1 ||
		fail "$3.cdx.json is not CycloneDX 1.5: $(cat "$tmp/said")"
}

# one PLATFORM OUT [FLAG...] builds the archive of a platform and its lists of modules. The
# binaries stay beside the folder OUT.
one() {
	platform=$1 out=$2
	shift 2
	os=${platform%%/*} arch=${platform#*/} exe=''
	name=turnproof_${version}_${os}_${arch}${suffix}
	[ "$os" != windows ] || exe=.exe
	stage=$out-stage/$name
	mkdir -p "$stage"
	GOOS=$os GOARCH=$arch build "$stage/turnproof$exe" ./cmd/turnproof "$@"
	GOOS=$os GOARCH=$arch CGO_ENABLED=0 build "$stage/turnproof-check$exe" ./cmd/turnproof-check
	GOOS=$os GOARCH=$arch CGO_ENABLED=0 build "$stage/turnproof-layout$exe" ./cmd/turnproof-layout
	facts "turnproof$exe" "$stage/turnproof$exe" "$out/$name"
	facts "turnproof-layout$exe" "$stage/turnproof-layout$exe" "$out/${name}_layout"
	extras "$stage"
	case $os in windows) archive=$name.zip ;; *) archive=$name.tar.gz ;; esac
	(cd "$out-stage" && pack "$name" "$out/$archive")
}

# all SOURCE OUT builds every archive.
all() {
	mkdir -p "$2"
	cd "$1"
	CGO_ENABLED=0 build "$tmp/host" ./cmd/turnproof
	for platform in $PLATFORMS; do
		suffix=''
		CGO_ENABLED=0 one "$platform" "$2"
	done
	if [ "$z3" = yes ]; then
		suffix=_z3
		# shellcheck disable=SC2154 # find_z3 has set them
		CGO_ENABLED=1 CGO_CFLAGS="-O2 $z3_cflags" CGO_LDFLAGS="-O2 $z3_ldflags" one linux/amd64 "$2" -tags z3
	fi
	cd "$root"
}

# tools builds the programs that write and check the lists of modules, in the versions of .build/sbom/go.sum.
tools() {
	(cd "$here/sbom" && go build -trimpath -o "$tmp/" github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod github.com/santhosh-tekuri/jsonschema/cmd/jv)
	schemas=$(cd "$here/sbom" && go list -m -f '{{.Dir}}' github.com/CycloneDX/cyclonedx-go)/schema
	mkdir "$tmp/schema"
	cp "$schemas/bom-1.5.schema.json" "$schemas/spdx.schema.json" "$tmp/schema/"
	cp "$schemas/jsf-0.82.schemax.json" "$tmp/schema/jsf-0.82.schema.json" # as the first one names it
}

z3=no
case " $PLATFORMS " in
*' linux/amd64 '*) if [ "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" = linux/amd64 ] && find_z3; then z3=yes; fi ;;
esac
say "$version: the tools"
tools
say "$version: the archives"
clone "$tmp/one"
all "$tmp/one" "$tmp/first"
# shellcheck disable=SC2034 # notes prints it
twice='They were not built twice.'
if [ -z "${ONCE:-}" ]; then
	say "$version: all of it again, elsewhere and without the cache"
	mkdir "$tmp/elsewhere"
	clone "$tmp/elsewhere/two"
	(
		export GOCACHE="$tmp/cache"
		all "$tmp/elsewhere/two" "$tmp/second"
	)
	diff -r "$tmp/first" "$tmp/second" >&2 || fail 'built twice, the files differ'
	# shellcheck disable=SC2034
	twice='All files were built twice, in two folders, the second time with an empty build cache: same bytes.'
fi
say "$version: what runs here"
notes >"$tmp/RELEASE.txt"
mv "$tmp/RELEASE.txt" "$tmp/first/"
if [ -d "$root/trust-record" ]; then
	tar -C "$root" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner -czf "$tmp/first/trust-record.tar.gz" trust-record
else
	say "no trust-record here: make trust writes it"
fi
(cd "$tmp/first" && sha256sum -- * >"$tmp/SHA256SUMS" && mv "$tmp/SHA256SUMS" .)
rm -rf "$dist"
mv "$tmp/first" "$dist"
say "done: $dist"
cat "$dist/RELEASE.txt"
