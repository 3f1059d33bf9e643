#!/bin/sh
# Installs the programs with which tests compare our output, if that is allowed
# (Debian or Ubuntu, root or sudo without password; not if NO_INSTALL is set). Without these
# programs the tests are skipped; with CI=true they fail.
case ${NO_INSTALL:-0} in 0 | '') ;; *) exit 0 ;; esac
PATH=$PATH:/usr/sbin:/sbin

# A required program or file, and its package.
missing=''
while read -r wanted package; do
	[ -e "$wanted" ] || command -v "$wanted" >/dev/null 2>&1 || missing="$missing $package"
done <<'LIST'
opensm opensm
ibsim ibsim-utils
smpdump infiniband-diags
ibdmchk ibutils
rpmbuild rpm
iverilog iverilog
verilator verilator
yosys yosys
g++ g++
chromium chromium
slurmctld slurmctld
slurmd slurmd
sbatch slurm-client
munged munge
zsh zsh
fish fish
mandoc mandoc
man man-db
groff groff
pdflatex texlive-latex-base
/usr/share/texlive/texmf-dist/tex/latex/booktabs/booktabs.sty texlive-latex-recommended
/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf fonts-dejavu-core
/usr/lib/python3/dist-packages/jsonschema python3-jsonschema
LIST
[ -n "$missing" ] || exit 0

root=''
[ "$(id -u)" = 0 ] || root='sudo -n'
if ! command -v apt-get >/dev/null 2>&1 || { [ -n "$root" ] && ! sudo -n true 2>/dev/null; }; then
	echo "tests of these will be skipped, install them by hand:$missing" >&2
	exit 0
fi
echo "installing what tests hold our output against:$missing" >&2
set -- env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=60
# shellcheck disable=SC2086
{ $root "$@" install --no-install-recommends $missing || { $root "$@" update && $root "$@" install --no-install-recommends $missing; }; } </dev/null >/dev/null 2>&1 ||
	echo 'installing them failed: tests of what is missing are skipped' >&2
