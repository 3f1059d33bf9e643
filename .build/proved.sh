#!/bin/sh
# Builds bin/turnproof-proved: Coq checks the proofs of verify/proved and extracts the program,
# and OCaml compiles it. Fails if a proof uses an axiom or an unproved lemma. Needs Debian's coq,
# ocaml-findlib, ocaml-nox, libsha-ocaml-dev and libyojson-ocaml-dev. Takes half a minute.
set -eu
bin=${1:-bin}
mkdir -p "$bin"
bin=$(cd "$bin" && pwd)
cd "$(dirname "$0")/../verify/proved"
for tool in coqc ocamlfind ocamlopt; do
	command -v "$tool" >/dev/null || {
		echo "proved: $tool is missing (Debian: coq ocaml-findlib ocaml-nox libsha-ocaml-dev libyojson-ocaml-dev)" >&2
		exit 77
	}
done
for package in sha yojson; do
	ocamlfind query "$package" >/dev/null 2>&1 || {
		echo "proved: OCaml's $package is missing (Debian: lib$package-ocaml-dev)" >&2
		exit 77
	}
done
work=_build
rm -rf "$work"
mkdir -p "$work"
cp ./*.v ./*.ml "$work"
cd "$work"
if grep -nwE 'Admitted|admit|Axiom|Parameter|Conjecture' ./*.v >&2; then
	echo 'proved: something is assumed' >&2
	exit 1
fi
# make orders the files by what they require, and runs as many at once as there are processors.
coqdep -Q . Proved ./*.v >depends
cat >rules <<'END'
include depends
.PHONY: all
all: $(patsubst %.v,%.vo,$(wildcard *.v))
%.vo: %.v
	@coqc -q -Q . Proved $< >$<.out || { cat $<.out >&2; exit 1; }
END
make -s -f rules -j "$(nproc)" all
grep -qx 'Closed under the global context' Extract.v.out || {
	echo 'proved: the theorem rests on more than the definitions:' >&2
	cat Extract.v.out >&2
	exit 1
}
rm -f judge.mli # as abstract as it need not be
ocamlfind ocamlopt -c -w -a judge.ml
ocamlfind ocamlopt -package sha,yojson -linkpkg judge.cmx packed.ml kinds.ml form.ml scan.ml parse.ml program.ml everysize.ml main.ml -o turnproof-proved
mv turnproof-proved "$bin/turnproof-proved"
