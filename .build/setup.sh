#!/bin/sh
# The preparation that make's targets share. It installs Z3 if Z3 is missing and installing is
# allowed (root, or sudo without password; not if NO_INSTALL is set). It fails only if Go
# is missing, because every target works without Z3.
. "$(dirname "$0")/find-z3.sh"

if ! command -v go >/dev/null 2>&1; then
	echo 'go not found: install Go (https://go.dev/doc/install), then run make again' >&2
	exit 1
fi

# install PACKAGE COMMAND... runs the command and hides its output.
install() {
	package=$1
	shift
	echo "Z3 not found: installing $package (NO_INSTALL=1 forbids it)" >&2
	"$@" </dev/null >/dev/null 2>&1 || echo "installing $package failed" >&2
}

# apt_get first tries with the existing package lists, then with updated ones.
apt_get() {
	set -- env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=60 \
		-o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
	$root "$@" install --no-install-recommends libz3-dev ||
		{ $root "$@" update && $root "$@" install --no-install-recommends libz3-dev; }
}

install_z3() {
	case ${NO_INSTALL:-0} in 0 | '') ;; *) return ;; esac
	root=''
	[ "$(id -u)" = 0 ] || root='sudo -n'
	if [ -z "$root" ] || sudo -n true 2>/dev/null; then
		if command -v apt-get >/dev/null 2>&1; then
			install libz3-dev apt_get
			return
		elif command -v dnf >/dev/null 2>&1; then
			# shellcheck disable=SC2086
			install z3-devel $root dnf -y -q install z3-devel
			return
		fi
	fi
	# brew refuses to run as root.
	if [ -n "$root" ] && command -v brew >/dev/null 2>&1; then
		install z3 env HOMEBREW_NO_AUTO_UPDATE=1 brew install -q z3
	fi
}

without='building without it (graph search, certificates, figures work; SMT cross-checks do not)'
if [ "$(go env CGO_ENABLED)" != 1 ] || ! compiles ''; then
	echo "Z3 not found: $without [no cgo: CGO_ENABLED=0 or no C compiler]" >&2
elif ! find_z3; then
	install_z3
	find_z3 || echo "Z3 not found: $without" >&2
fi
