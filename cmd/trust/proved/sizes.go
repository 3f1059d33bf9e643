package proved

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/mutate"
	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file compares the checkers on certificates of routing programs for every size. Each checker reads the text of the
// program itself.

// keptSizes returns the certificates of the tests of package everysize that the proved checker can judge.
func keptSizes() ([]original, error) {
	folder := filepath.Join("..", "..", "..", "verify", "cert", "everysize", "testdata")
	all, err := readAll(folder)
	if err != nil {
		return nil, err
	}
	failures, err := readAll(filepath.Join(folder, "faults"))
	return listable(append(all, failures...)), err
}

// families are those that the theorem covers.
var families = []string{"mesh", "torus", "ring", "line", "hypercube", "hexgrid", "brickwall", "express", "hyperx"}

// listable removes the certificates that the proved checker does not judge.
func listable(list []original) []original {
	return slices.DeleteFunc(list, func(o original) bool {
		p := o.c.Subject.Program
		covered := slices.ContainsFunc(families, func(family string) bool { return strings.Contains(p.Text, "family = "+family+"(") })
		return p.Flow != nil || p.Every && !withoutEscape(p.Text) || !covered
	})
}

// withoutEscape reports whether a proof of a program without an escape is one for every number of dimensions.
func withoutEscape(text string) bool {
	_, err := everysize.EveryDimension(text, nil)
	return err == nil
}

// publishedSizes proves the published programs for two dimensions and, as far as the proved checker judges that, for every number of
// dimensions. It returns the certificates, none without Z3.
func publishedSizes(ctx context.Context, o stage.Options) ([]original, error) {
	files, err := filepath.Glob(filepath.Join(o.Root, "examples", "routing-programs", "published", "*.star"))
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(o.Work, "sizes")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for _, file := range files {
		for _, switching := range []string{"vct", "wormhole"} {
			if switching == "wormhole" && !strings.HasPrefix(filepath.Base(file), "duato.") {
				continue
			}
			name := strings.TrimSuffix(filepath.Base(file), ".star")
			out := filepath.Join(folder, name+"-"+switching+".cert")
			const all = "deadlock-free,connected,livelock-free,minimal"
			for _, dims := range [][]string{{"--claims", all, "--dims", "2"}, {"--claims", all}, {"--dims", "2"}, nil} {
				// Some programs have a fixed number of dimensions, and some families no shortest paths that the claim is about.
				said, err := prove(ctx, o, file, switching, out, dims...)
				if bytes.Contains(said, []byte("without Z3")) {
					return nil, nil
				}
				if _, missing := os.Stat(out); missing == nil || ctx.Err() != nil {
					break
				} else if dims == nil && err == nil {
					return nil, fmt.Errorf("%s: no certificate\n%s", file, said)
				}
			}
			if text, err := os.ReadFile(file); err != nil || !withoutEscape(string(text)) {
				continue
			}
			if said, err := prove(ctx, o, file, switching, filepath.Join(folder, name+everyEnd+"-"+switching+".cert"), "--dims", "1"); err != nil {
				return nil, fmt.Errorf("%s: %w\n%s", file, err, said)
			}
		}
	}
	list, err := readAll(folder)
	return listable(list), err
}

// everyEnd ends the names of certificates for every number of dimensions.
const everyEnd = "-every"

// prove runs turnproof prove on a program, and returns what it says.
func prove(ctx context.Context, o stage.Options, file, switching, out string, more ...string) ([]byte, error) {
	arguments := append([]string{"prove", file, "--switching", switching, "--certificate", out}, more...)
	return exec.CommandContext(ctx, filepath.Join(o.Bin, "turnproof"), arguments...).CombinedOutput()
}

// changeSizes changes values of the evidence for every size, or the text of the program. It may remove the last claim, or add
// the claim minimal.
func changeSizes(rng *rand.Rand, c *cert.Certificate) {
	if rng.IntN(4) == 0 {
		changeText(rng, c)
		return
	}
	if rng.IntN(20) == 0 && len(c.Claims) > 1 { // claim less
		c.Claims = c.Claims[:len(c.Claims)-1]
	} else if last := c.Claims[len(c.Claims)-1].Claim; rng.IntN(40) == 0 && last != cert.ClaimMinimal { // or more
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimMinimal, Verdict: cert.Proved, Evidence: cert.EvidenceEverySize})
	}
	all := mutate.Fields(c)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool {
		return !strings.HasPrefix(name, ".Claims.Sizes.") || mutate.IsAbsent(all[name])
	})
	for again := true; again; again = rng.IntN(3) == 0 {
		name := ".Claims.Sizes.Proofs"
		if rng.IntN(2) == 0 {
			name = mutate.Pick(rng, names)
		}
		v := mutate.Pick(rng, all[name])
		switch x := v.Addr().Interface().(type) {
		case *bool:
			*x = !*x
		case *string:
			*x = mutate.Pick(rng, []string{"none", "channels", "first", "last", "detour"})
		default:
			mutate.ChangeValue(rng, v)
		}
	}
}

// words splits a program into names, numbers, signs, spaces and comments.
var words = regexp.MustCompile(`#.*|\w+|[ \n]+|[=<>!/]=|//|.`)

// changeText replaces, removes, repeats or exchanges words of a program, and sets the digest of its text.
func changeText(rng *rand.Rand, c *cert.Certificate) {
	list := words.FindAllString(c.Subject.Program.Text, -1)
	for again := true; again; again = rng.IntN(3) == 0 {
		i, j := rng.IntN(len(list)), rng.IntN(len(list))
		switch rng.IntN(6) {
		case 0:
			list[i] = mutate.Pick(rng, anywhere)
		case 1:
			list[i] = ""
		case 2:
			list[i] += list[i]
		case 3:
			list[i], list[j] = list[j], list[i]
		default: // a word of the same kind
			if k := slices.IndexFunc(replacements, func(words []string) bool { return slices.Contains(words, list[i]) }); k >= 0 {
				list[i] = mutate.Pick(rng, replacements[k])
			}
		}
	}
	c.Subject.Program.Text = strings.Join(list, "")
	for i := range c.Subject.Inputs {
		c.Subject.Inputs[i].SHA256 = everysize.Sum(c.Subject.Program.Text)
	}
}

// replacements are words that can stand in the same places, anywhere are words for any place.
var (
	replacements = [][]string{
		{"<", ">", "<=", ">=", "==", "!=", "in"}, {"+", "-", "*", "//", "%"}, {"and", "or"}, {"0", "1", "2", "3"}, {"E", "W", "N", "S"},
		{"plus", "minus"}, {"cur", "dst"}, {"x", "y"}, {"min", "max"}, {"any", "all", "len", "bool"},
		{"mesh", "torus", "hypercube", "hexgrid", "brickwall", "hyperx"},
		{"dir", "dim", "vc", "wrap"}, {"list", "tuple", "reversed"}, {"others", "deroutes", "plus", "side"},
		{"towards", "delta", "ahead"}, {"    ", "        "}, {"True", "False", "None"},
	}
	anywhere = []string{"not ", "-", "[0]", "(", ")", "[", "]", ",", ":", ";", "pass", "break", "continue", "return ",
		"\n", " ", "  ", "#", "\t", "1 if cur.x else 2", "\"a\"", "EJECT", "to(0, dst[0])", "others(0)", "deroutes(1)"}
)

// sizesTally counts the outcomes of changed certificates.
type sizesTally struct {
	count  [differ + 1]int
	differ []string
}

// changedSizes compares the checkers on changed copies of certificates.
func (p *prover) changedSizes(seed uint64, list []original, count int) (t sizesTally, err error) {
	rng := rand.New(rand.NewPCG(seed, 31))
	for i := 0; i < count && len(t.differ) < enough; i++ {
		of := mutate.Pick(rng, list)
		for len(of.c.Claims[0].Sizes.Proofs) > 20_000 && rng.IntN(100) > 0 {
			of = mutate.Pick(rng, list) // the other takes a second
		}
		c := mutate.Clone(of.c)
		changeSizes(rng, c)
		file := written(c)
		rejected := inGo(file)
		answer, err := p.ask(file)
		if err != nil {
			return t, fmt.Errorf("%s, change %d: %w", of.name, i, err)
		}
		o := compare(rejected, answer)
		if t.count[o]++; o == differ {
			t.differ = append(t.differ, fmt.Sprintf("%s, change %d: Go rejects %q, proved: %s\n%s", of.name, i, rejected, answer, c.Subject.Program.Text))
		}
	}
	return t, nil
}
