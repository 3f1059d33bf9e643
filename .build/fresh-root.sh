#!/bin/sh
# Tests the first steps of the README on a clean system: in a new Debian with git, make,
# a C compiler and this machine's Go, it clones the repository and runs make demo and
# make test. Needs root and debootstrap. Takes about ten minutes.
#
#	sh .build/fresh-root.sh FOLDER [SUITE]
set -eu
[ $# -ge 1 ] && [ ! -e "$1" ] || { echo "usage: fresh-root.sh FOLDER [SUITE], the folder not there yet" >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
suite=${2:-bookworm}
debootstrap --variant=minbase --include=git,make,gcc,libc6-dev,ca-certificates "$suite" "$1" >/dev/null
root=$(cd "$1" && pwd)
finish() { umount "$root/proc" "$root/dev" 2>/dev/null || :; }
trap finish EXIT
cp -a "$(go env GOROOT)" "$root/usr/local/go"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# The new system trusts the same certificates as this machine.
[ -z "${SSL_CERT_FILE:-}" ] || cp -L "$SSL_CERT_FILE" "$root/etc/ssl/trusted.pem"
git clone -q "$here" "$root/srv/turnproof"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"

inside() {
	echo "== $*"
	chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${SSL_CERT_FILE:+SSL_CERT_FILE=/etc/ssl/trusted.pem} \
		http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
		sh -c "cd srv/turnproof && $*" </dev/null
}
inside make demo
inside make test
