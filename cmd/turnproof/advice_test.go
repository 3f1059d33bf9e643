package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify/smt"
)

// TestAdvice checks that an error is one line that says what was expected and what to do next.
func TestAdvice(t *testing.T) {
	dir := t.TempDir()
	packed, err := os.ReadFile(fabrics + "mesh3x3/opensm-subnet.lst.gz")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(fabrics + "mesh3x3/topology.ibnetdiscover")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := os.ReadFile(fabrics + "mesh3x3/minhop/opensm-lfts.dump.gz")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for name, text := range map[string][]byte{"cut.lst.gz": packed[:300], "cut.dump.gz": tables[:200], "topology.ibnetdiscover": whole,
		"tables.dump.gz": tables, "junk": []byte("x"), "closed": []byte("x")} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ line, want string }{
		{"chek mesh:4x4", `no command "chek" (did you mean check?); "turnproof help" lists them`},
		{"check", "NETWORK is missing: turnproof check NETWORK... --routing FILE|NAME [flags]"},
		{"check mesh:4x4", `--routing FILE|NAME is missing`},
		{"check mesh:4x4 -r west-frist", `no such file and no such routing (did you mean west-first?)`},
		{"check mesh:4x4 -r dor,ordr=yx", `"ordr=yx" (did you mean order?), after dor come KEY=VALUE with the keys order`},
		{"check mehs:4x4 -r dor", `no family "mehs" (did you mean mesh?)`},
		{"check mesh:4x4,vsc=2 -r dor", `no key "vsc" for mesh (did you mean vcs?)`},
		{"check mesh:4x4 -r dor --swiching vct", `no flag --swiching (did you mean --switching?); see "turnproof check --help"`},
		{"--confg x check", `no flag --confg (did you mean --config?), put the flags of a command after the command; see "turnproof help"`},
		{"check mesh:4x4 -r dor --switching vtc", `--switching vtc (did you mean vct?), known are vct, saf, wormhole`},
		{"check mesh:4x4 -r dor --packet two", `--packet "two": want a whole number; see "turnproof check --help"`},
		{"sim mesh:4x4 -r dor --load high", `--load "high": want a number; see "turnproof sim --help"`},
		{"check mesh:4x4 -r dor --certificate", `--certificate has no value: --certificate FILE; see "turnproof check --help"`},
		{"check mesh:4x4 -r dor --color", `--color has no value: --color WHEN; see "turnproof help"`},
		{"check mesh:4x4 -r dor --json=maybe", `--json "maybe": want true or false`},
		{"check topolgy.ibnetdiscover -r updown",
			`topolgy.ibnetdiscover: no such file or directory (did you mean topology.ibnetdiscover?); ` +
				`a network is a file, a folder of dumps or a spec as mesh:8x8 ("turnproof networks" lists them)`},
		{"check mesh -r updown", `mesh: no such file or directory (did you mean mesh:8x8?); a network is a file`},
		{"check tables.dump.gz -r updown", "go behind --routing"},
		{"check topology.ibnetdiscover -r topology.ibnetdiscover",
			"--routing topology.ibnetdiscover is a network: forwarding tables, a turn set or a routing program were expected"},
		{"check topology.ibnetdiscover -r table.dump.gz", "no such file or directory (did you mean tables.dump.gz?)"},
		{"check topology.ibnetdiscover -r folder", "folder: is a folder, a file was expected"},
		{"check topology.ibnetdiscover -r cut.dump.gz", "the gzip file is cut short, copy it again"},
		{"check cut.lst.gz -r updown", "the gzip file is cut short, copy it again"},
		{"check folder -r updown", "a folder with neither a topology"},
		{"check junk -r updown", "junk: not recognised as a network"},
		{"check mesh:4x4 -r dor --certificate nowhere/x.cert", "cannot write nowhere/x.cert: there is no folder nowhere (mkdir -p nowhere makes it)"},
		{"check mesh:4x4 -r dor --certificate folder", "folder is a folder; want a file name"},
		{"check mesh:4x4 -r dor --figure x.gif", "want a figure that ends in .svg, .png, .pdf or .dot"},
		{"check mesh:4x4 -r dor --fail link:1", "--fail link:1 (did you mean links:1?), known are links:1, switches:1"},
		{"convert mesh:4x4 --to jsn", "--to jsn (did you mean json?)"},
		{"convert mesh:4x4 -r updown,paths=table --to lfts",
			"have no LIDs, but forwarding tables use LIDs (turnproof table --kind next-hops --format opensm assigns LIDs)"},
		{"draw cycel mesh:4x4 -o x.svg", `no drawing "cycel" (did you mean cycle?)`},
		{"draw network mesh:4x4", "-o FILE is missing: want a file to draw to (.svg, .png, .pdf or .dot)"},
		{"table mesh:4x4 -r dor --kind turn", "--kind turn (did you mean turns?)"},
		{"table mesh:4x4 -r dor --format cvs", "--format cvs (did you mean csv?)"},
		{"turns mesh:4x4 -m updwon", `no method "updwon" (did you mean updown?)`},
		{"prove west-frist", "(did you mean west-first?)"},
		{"prove dor --family tours", `no family "tours" (did you mean torus?)`},
		{"sim mesh:4x4 -r dor", "--load is missing: want flits per clock and host, such as 0.2"},
		{"sim mesh:4x4 -r dor --load 0.1 --traffic unifrom", `no pattern "unifrom" (did you mean uniform?)`},
		{"sweep mesh:4x4 -r dor", "--loads is missing: want FROM:TO:STEP, or loads separated by commas"},
		{"reproduce turn-model/table2", "(did you mean turn-model/table-2?); --list lists the names"},
		{"enumerate mehs:2", "(did you mean mesh?)"},
		{"completion bahs", `no completion for "bahs" (did you mean bash?), known are bash, zsh, fish`},
		{"man chekc", `no command "chekc" (did you mean check?)`},
		{"help chekc", `no command "chekc" (did you mean check?)`},
		{"config chekc", `no command "chekc" (did you mean check?)`},
		{"version extra", `version takes no argument, got "extra"; see "turnproof version --help"`},
		{"networks extra", "networks takes no argument"},
		{"check mesh:3x3 -r dor --colour always", "no flag --colour (did you mean --color?)"},
	}
	if !smt.Available() {
		cases = append(cases, []struct{ line, want string }{{"prove dor", "this build has no Z3; install libz3-dev"},
			{"check mesh:4x4 -r dor --cross-check", "this build has no Z3; install libz3-dev"}}...)
	}
	if os.Geteuid() != 0 { // root may read and write all files
		if err := errorsOf(os.Chmod("closed", 0), os.Mkdir("locked", 0o555)); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, []struct{ line, want string }{{"check closed -r updown", "closed: permission denied"},
			{"check mesh:4x4 -r dor --certificate locked/x", "locked/x cannot be written: permission denied; choose another folder"}}...)
	}
	for _, c := range cases {
		stdout, stderr, code := turnproof(t, strings.Fields(c.line)...)
		if code != cli.ExitUsage || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "turnproof: ") ||
			!strings.Contains(stderr, c.want) {
			t.Errorf("turnproof %s: exit status %d, stdout %.80q, stderr %q; want one line with %q", c.line, code, stdout, stderr, c.want)
		}
	}
	if left, _ := filepath.Glob(".turnproof-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
