package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file checks docs/papers, and drawings that papers need.

const papersFolder = "../../docs/papers"

// TestPapersFolder writes the record of all papers again, from the recorded points, and compares it with
// docs/papers. It needs all fields of the record, so it draws every figure.
func TestPapersFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, stderr, code := turnproof(t, "reproduce", "--all", "--recorded", "-o", dir); code != cli.ExitHolds {
		t.Fatal(stderr)
	}
	made, stored := folderOf(t, dir), folderOf(t, papersFolder)
	for name, text := range made {
		if stored[name] != text {
			t.Errorf("docs/papers/%s differs from what is written now; run make papers and look at it", name)
		}
		if strings.HasSuffix(name, "/README.md") && len(text) > 12_000 {
			t.Errorf("docs/papers/%s has %d bytes, at most 12000 are wanted", name, len(text))
		}
	}
	for name := range stored {
		if made[name] == "" {
			t.Errorf("docs/papers/%s is of no paper", name)
		}
	}
}

// folderOf returns the contents of the files in a folder by name.
func folderOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestDrawnFor checks figures drawn for papers, and errors for figures that cannot be drawn.
func TestDrawnFor(t *testing.T) {
	for line, part := range map[string]string{
		"updown ring:5 -r updown,ties=id,root=2":                     "<title>other link, up: ",
		"updown ring:5 -r updown,ties=id,root=2 --width 85":          ` width="240.94pt"`,
		"redundant random:switches=10,degree=3,seed=3 -r rturn-beta": "need not be prohibited",
		"gates mesh:3x3 -r dor --gate turn --at 4":                   "join them without a gate",
		"gates torus:4x4,vcs=2 -r dor --gate both":                   "at a gate",
		"sums mesh:3x4":                             "back along the columns",
		"ranks torus:4x4,vcs=2 -r dor --vc 1":       "VC 1",
		"basic ring:4 --cycles L2,L7":               "LU&gt;RD, RD&gt;LD, LD&gt;LU",
		"classes torus:2,vcs=2,rule=nf+1 -r nf":     "2 of 8 class turns prohibited",
		"network mesh:3x3 --hosts hidden --title -": "9 switches",
		"vlan mesh:3x3 -r vlan-dor":                 ">(2,1)</text>",
		"hv ring:4 --directions=false":              "dashed: 1 other.",
	} {
		stdout, stderr, code := turnproof(t, append(append([]string{"draw"}, strings.Fields(line)...), "--format", "svg", "-o", "-")...)
		if code != cli.ExitHolds || !strings.Contains(stdout, part) {
			t.Errorf("draw %s: exit status %d, no %q, %s", line, code, part, stderr)
		}
	}
	for line, part := range map[string]string{
		"draw updown ring:5 -r tp":                         "needs --routing updown",
		"draw updown ring:5 -r updown,tree=dfs,root=0":     "not a depth-first tree",
		"draw redundant ring:5 -r updown,ties=id":          "needs --routing lturn-alpha",
		"draw redundant ring:4 -r lturn-alpha --number 99": "--number 99: want one of",
		"draw gates mesh:3x3 -r dor":                       "needs --gate",
		"draw gates mesh:3x3 -r dor --gate turn --at 9":    "want a switch from 0 to 8",
		"draw gates mesh:2x2 -r dor --gate turn":           "no path goes straight on",
		"draw sums mesh:3x3x3":                             "grids of two dimensions",
		"draw ranks mesh:3x3 -r dor --vc 1":                "--vc 1, the channels of mesh:3x3 have 1",
		"draw basic ring:4 --cycles L8":                    `no basic cycle "L8"`,
		"draw classes mesh:2 -r nf":                        `no published set of class turns "nf" of mesh:2, known are `,
		"draw network ring:4 --hosts all":                  `--hosts "all"`,
		"draw network ring:4 --width -3":                   "--width -3",
		"reproduce vlan/table-1 --figure @x.svg":           "vlan/table-1 is none",
		"reproduce vlan/table-1 --recorded --quick":        "give --recorded or --quick",
		"reproduce vlan/table-1 --readings x":              "--readings does not apply",
		"reproduce vlan":                                   "vlan is a paper",
		"reproduce vlan/table-1 --all -o x":                "want the name of a paper",
		"reproduce vlan --all":                             "give its name by -o",
		"reproduce vlan --all -o x --figure y.svg":         "--figure goes with one figure",
	} {
		words := strings.Fields(line)
		if words[0] == "draw" {
			words = append(words, "-o", filepath.Join(t.TempDir(), "x.svg"))
		}
		if _, stderr, code := turnproof(t, words...); code != cli.ExitUsage || !strings.Contains(stderr, part) {
			t.Errorf("%s: exit status %d, no %q in %s", line, code, part, stderr)
		}
	}
}

// TestOnePalette checks that charts and figures of networks use the same colours.
func TestOnePalette(t *testing.T) {
	pictures := []figure.Color{figure.Black, figure.Orange, figure.SkyBlue, figure.Green, figure.Blue, figure.Vermillion, figure.Purple}
	var charts []figure.Color
	for _, c := range sheet.Palette() {
		r, g, b, _ := c.RGBA()
		charts = append(charts, figure.Color(fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)))
	}
	slices.Sort(pictures)
	if slices.Sort(charts); !slices.Equal(pictures, charts) {
		t.Errorf("%q and %q", pictures, charts)
	}
}

// cited finds a citation of a claim in a manual: a link whose text is a verdict and whose title is the claim.
var cited = regexp.MustCompile(`\[(\w+)\]\(papers/[^)\s]+\s+"([^"]+)"\)`)

// TestManualsCiteVerdicts compares the verdicts that manuals cite with those of the record.
func TestManualsCiteVerdicts(t *testing.T) {
	verdicts := map[string]string{}
	text, err := os.ReadFile("../../examples/papers/testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		verdict, claim, _ := strings.Cut(line, " ")
		verdicts[claim] = verdict
	}
	manuals, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, manual := range manuals {
		text, err := os.ReadFile(manual)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cited.FindAllStringSubmatch(string(text), -1) {
			if count++; verdicts[c[2]] != c[1] {
				t.Errorf("%s cites %q for the claim %s, whose verdict is %q", filepath.Base(manual), c[1], c[2], verdicts[c[2]])
			}
		}
	}
	if count < 5 {
		t.Errorf("%d citations in the manuals", count)
	}
}
