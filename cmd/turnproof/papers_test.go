package main

import (
	"fmt"
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

// This file checks the figures of the papers against the list of commands that draw them.

const papersFolder = "../../docs/figures/papers"

// listed is an entry of figures.list.
type listed struct {
	paper, number, word, arguments string
}

func (l listed) file() string { return filepath.Join(l.paper, "figure-"+l.number+".svg") }

func readList(t *testing.T) (list []listed) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(papersFolder, "figures.list"))
	if err != nil {
		t.Fatal(err)
	}
	var at listed
	for _, line := range strings.Split(string(text), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		first, _, _ := strings.Cut(rest, " ")
		switch word {
		case "paper":
			at.paper = first
		case "figure":
			at.number = first
		case "draw", "wide", "set", "reproduce", "none":
			at.word, at.arguments = word, rest
			list = append(list, at)
		case "", "#", "differs":
		default:
			t.Errorf("figures.list: %q", line)
		}
	}
	return list
}

// shellWords splits a line into words and removes quotes, as a shell does.
func shellWords(s string) (words []string) {
	for _, w := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(s, -1) {
		words = append(words, strings.Trim(w, `"`))
	}
	return words
}

// wantedFigures are the numbers of the figures that turnproof can draw, by paper.
var wantedFigures = map[string][]string{
	"2d-turn-model":      strings.Fields("01 02 03 04 05 06 07 08 09 10 11 12"),
	"north-first-plus-1": strings.Fields("01 02 03 04 05 08 09 12 13 14 15"),
	"turn-addition":      strings.Fields("01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 18 19 21 22 23 24 25"),
	"flow-limiting":      strings.Fields("01 03 04 05 06 07 08 09"),
	"vlan-ethernet":      strings.Fields("01 02 03 04 05"),
}

// TestPaperList checks that every wanted figure is in the list, in its folder and in the gallery,
// and that the folders contain no other figures.
func TestPaperList(t *testing.T) {
	gallery, err := os.ReadFile(filepath.Join(papersFolder, "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	drawn, has := map[string]bool{}, map[string]bool{}
	for _, l := range readList(t) {
		if l.word == "none" {
			continue
		}
		drawn[l.file()], has[l.paper+l.number[:2]] = true, true
		if _, err := os.Stat(filepath.Join(papersFolder, l.file())); err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(gallery), "(papers/"+filepath.ToSlash(l.file())+")") {
			t.Errorf("%s is not in the gallery; run make figures", l.file())
		}
	}
	for paper, numbers := range wantedFigures {
		for _, n := range numbers {
			if !has[paper+n] {
				t.Errorf("%s: figure %s is not on the list", paper, n)
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(papersFolder, "*", "*.svg"))
	for _, f := range files {
		if name, _ := filepath.Rel(papersFolder, f); !drawn[name] {
			t.Errorf("%s is not on the list", name)
		}
	}
}

// TestPaperFigures draws the figures of networks and compares them with the stored ones. It leaves
// out charts, because they need simulations.
func TestPaperFigures(t *testing.T) {
	list := readList(t)
	t.Chdir(papersFolder)
	made := filepath.Join(t.TempDir(), "set.json")
	for _, l := range list {
		words := shellWords(l.arguments)
		switch l.word {
		case "set":
			k := slices.Index(words, "--title")
			if _, stderr, code := turnproof(t, append(append([]string{"turns"}, words[:k]...), "-o", made)...); code != cli.ExitHolds {
				t.Errorf("%s: %s", l.file(), stderr)
			}
			words = append([]string{"turns", words[0], "-r", made, "--hosts", "hidden"}, words[k:]...)
		case "draw", "wide":
		default:
			continue
		}
		width := "85"
		if l.word == "wide" {
			width = "178"
		}
		picture, stderr, code := turnproof(t, append(append([]string{"draw"}, words...), "--width", width, "--format", "svg", "-o", "-")...)
		want, err := os.ReadFile(l.file())
		if code != cli.ExitHolds || err != nil || picture != string(want) {
			t.Errorf("%s differs from what is drawn now (exit status %d, %v %s); run make figures and look at it", l.file(), code, err, stderr)
		}
	}
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
		"draw updown ring:5 -r tp":                                                   "needs --routing updown",
		"draw updown ring:5 -r updown,tree=dfs,root=0":                               "not a depth-first tree",
		"draw redundant ring:5 -r updown,ties=id":                                    "needs --routing lturn-alpha",
		"draw redundant ring:4 -r lturn-alpha --number 99":                           "--number 99: want one of",
		"draw gates mesh:3x3 -r dor":                                                 "needs --gate",
		"draw gates mesh:3x3 -r dor --gate turn --at 9":                              "want a switch from 0 to 8",
		"draw gates mesh:2x2 -r dor --gate turn":                                     "no path goes straight on",
		"draw sums mesh:3x3x3":                                                       "grids of two dimensions",
		"draw ranks mesh:3x3 -r dor --vc 1":                                          "--vc 1, the channels of mesh:3x3 have 1",
		"draw basic ring:4 --cycles L8":                                              `no basic cycle "L8"`,
		"draw classes mesh:2 -r nf":                                                  `no published set of class turns "nf" of mesh:2, known are `,
		"draw network ring:4 --hosts all":                                            `--hosts "all"`,
		"draw network ring:4 --width -3":                                             "--width -3",
		"reproduce vlan/table-1 --figure @x.svg":                                     "vlan/table-1 is none",
		"reproduce nf1/figure-12 --recorded x":                                       "--recorded goes with --figure",
		"reproduce turn-addition/figure-22 --figure x.svg --recorded figures.go":     "--recorded: ",
		"reproduce turn-addition/figure-22 --figure x.svg --recorded papers_test.go": "has no rows of turn-addition/figure-22",
		"reproduce turn-addition/figure-22 --reading k=8":                            "--reading goes with",
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

// TestRecorded checks that --recorded draws the same figure as the run that wrote the rows.
func TestRecorded(t *testing.T) {
	dir := t.TempDir()
	run, recorded, table := filepath.Join(dir, "run.svg"), filepath.Join(dir, "recorded.svg"), filepath.Join(dir, "rows.md")
	name := "turn-addition/figure-25"
	for _, words := range [][]string{
		{"reproduce", name, "--quick", "--figure", run, "--width", "85", "--format", "markdown", "-o", table},
		{"reproduce", name, "--recorded", table, "--figure", recorded, "--width", "85"},
	} {
		if _, stderr, code := turnproof(t, words...); code != cli.ExitHolds {
			t.Fatal(stderr)
		}
	}
	if text, _ := os.ReadFile(table); !strings.Contains(string(text), "| 128 servers a tree | turn-addition inside | 1 | 1 |") {
		t.Errorf("rows %s", text)
	}
	a, _ := os.ReadFile(run)
	b, _ := os.ReadFile(recorded)
	// The rows have four digits, so coordinates differ slightly. Texts and the number of lines are
	// equal.
	if len(a) < 2000 || !slices.Equal(regexp.MustCompile(`>[^<>]+</text>`).FindAllString(string(a), -1),
		regexp.MustCompile(`>[^<>]+</text>`).FindAllString(string(b), -1)) || strings.Count(string(a), "<path") != strings.Count(string(b), "<path") {
		t.Errorf("%d and %d bytes", len(a), len(b))
	}
	if !strings.Contains(string(a), `width="240.94pt"`) {
		t.Error("the figure is not 85 mm wide")
	}
}
