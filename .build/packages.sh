#!/bin/sh
# Builds packages of the commit that is checked out: turnproof_VERSION_ARCH.deb and turnproof-VERSION-1.ARCH.rpm, in dist.
#
#	packages.sh [FOLDER]
#
# The programs are static and have no Z3; they need no other package. KINDS=deb or KINDS=rpm builds one kind. BIN=FOLDER packs programs that
# are already built. The time of all files is that of the commit. Needs Go; dpkg-deb for deb, rpmbuild (Debian: rpm) for rpm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
dist=${1:-$root/dist}
mkdir -p "$dist"
dist=$(cd "$dist" && pwd)
kinds=${KINDS:-deb rpm}
fail() { echo "packages: $*" >&2; exit 1; }

described=$(git -C "$root" describe --tags --match 'v[0-9]*' 2>/dev/null) ||
	described=0.1.0~git$(git -C "$root" rev-list --count HEAD).$(git -C "$root" rev-parse --short HEAD)
version=$(printf '%s' "${described#v}" | tr - +)
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct HEAD)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
umask 022
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

bin=${BIN:-$tmp/bin}
if [ -z "${BIN:-}" ]; then
	for program in turnproof turnproof-check turnproof-layout; do
		(cd "$root" && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$described" -o "$bin/$program" "./cmd/$program") ||
			fail "cannot build $program"
	done
fi
DESTDIR=$tmp/root PREFIX=/usr sh "$here/install.sh" "$bin"
for page in "$tmp"/root/usr/share/man/man1/*.1; do gzip -n -9 "$page"; done
find "$tmp/root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
summary='prove the routing of a network deadlock-free, or show the loop'
text='turnproof reads forwarding tables of InfiniBand and Ethernet fabrics and of networks on chips, and proves that packets cannot block each
 other forever and all arrive, or shows the loop. turnproof-check judges its certificates independently.'

# deb builds the package for Debian and Ubuntu.
deb() {
	command -v dpkg-deb >/dev/null || fail 'no dpkg-deb here'
	arch=$(dpkg --print-architecture)
	mkdir -p "$tmp/root/DEBIAN"
	cat >"$tmp/root/DEBIAN/control" <<CONTROL
Package: turnproof
Version: $version
Architecture: $arch
Maintainer: the authors of turnproof <nobody@turnproof.example>
Section: net
Priority: optional
Installed-Size: $(du -sk "$tmp/root/usr" | cut -f1)
Suggests: infiniband-diags, opensm, ibsim-utils
Description: $summary
 $text
CONTROL
	touch -d "@$SOURCE_DATE_EPOCH" "$tmp/root/DEBIAN" "$tmp/root/DEBIAN/control"
	dpkg-deb --root-owner-group -Zxz -z3 --build "$tmp/root" "$dist/turnproof_${version}_$arch.deb" >/dev/null
	rm -rf "$tmp/root/DEBIAN"
	echo "$dist/turnproof_${version}_$arch.deb"
}

# rpm_package builds the package for Fedora, RHEL, SUSE and others.
rpm_package() {
	command -v rpmbuild >/dev/null || fail 'no rpmbuild here (Debian: rpm)'
	cat >"$tmp/turnproof.spec" <<SPEC
Name: turnproof
Version: $version
Release: 1
Summary: $summary
License: $(sed -n '1s/ License.*//p' "$root/LICENSE")
%global __os_install_post %{nil}
%global _build_id_links none
%global debug_package %{nil}
%global clamp_mtime_to_source_date_epoch 1
%global use_source_date_epoch_as_buildtime 1
%global _buildhost localhost
AutoReqProv: no
%description
$text
%install
cp -a $tmp/root/. %{buildroot}
%files
%defattr(-,root,root)
$(cd "$tmp/root" && find usr ! -type d | sort | sed 's|^|/|')
SPEC
	rpmbuild --quiet -bb --define "_topdir $tmp/rpm" --define "_rpmdir $tmp/out" "$tmp/turnproof.spec" >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; fail rpmbuild; }
	for file in "$tmp"/out/*/*.rpm; do
		cp "$file" "$dist/"
		echo "$dist/$(basename "$file")"
	done
}

for kind in $kinds; do
	case $kind in deb) deb ;; rpm) rpm_package ;; *) fail "KINDS=$kind: want deb, rpm" ;; esac
done
