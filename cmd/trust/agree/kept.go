package agree

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file keeps cases: NAME.json is the case with what it is about, and beside it
// NAME.cert the certificate that verify makes of it, if it makes one, which turnproof-check
// reads and which holds network and routing as well.

// Kept is what NAME.json holds.
type Kept struct {
	About string            `json:"about"`          // what was wrong when it was kept, or why it is else
	Want  map[string]string `json:"want,omitempty"` // verdicts of verify.Check by claim, once it is mended
	Case  *Case             `json:"case"`
}

// write puts a case into a folder.
func (k *Kept) write(ctx context.Context, folder, name string) error {
	text, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, name+".json"), append(compact(text), '\n'), 0o644); err != nil {
		return err
	}
	r, err := k.Case.relation()
	if err != nil {
		return nil //nolint:nilerr // that is what is wrong with it
	}
	rep, err := verify.Check(ctx, r, verify.Options{Switching: model.Switching(k.Case.Switching), Waiting: model.Waiting(k.Case.Waiting), NoPairs: true})
	if err != nil {
		return nil //nolint:nilerr // as above
	}
	var file bytes.Buffer
	if err := cert.Write(&file, rep.Certificate); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".cert"), file.Bytes(), 0o644)
}

// inner is an object or a list without others in it, outer a list of such hops.
var (
	inner = regexp.MustCompile(`[\[{][^\[\]{}]*[\]}]`)
	outer = regexp.MustCompile(`"hops": \[[^\[\]]*\]`)
	space = regexp.MustCompile(`\s+`)
)

// compact puts lists of numbers, places and hops on a line each.
func compact(text []byte) []byte {
	flat := func(part []byte) []byte { return space.ReplaceAll(part, []byte(" ")) }
	return outer.ReplaceAllFunc(inner.ReplaceAllFunc(text, flat), flat)
}

// readKept reads all cases of a folder, by name.
func readKept(folder string) (map[string]*Kept, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	all := map[string]*Kept{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		k := &Kept{}
		if err := dec.Decode(k); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		all[strings.TrimSuffix(filepath.Base(f), ".json")] = k
	}
	return all, nil
}

// replay judges a kept case, and says what is wrong now: judges that do not agree, or a
// verdict that is not the one wanted.
func (k *Kept) replay(ctx context.Context, panel []judge) (string, error) {
	j, err := judgeCase(ctx, panel, k.Case, 0)
	if err != nil {
		return "", err
	}
	if j.wrong != nil {
		return j.wrong.Text, nil
	}
	var wrong []string
	for c := range numClaims {
		if want, ok := k.Want[c.String()]; ok && want != string(j.said[0][c]) {
			wrong = append(wrong, fmt.Sprintf("%v is %s, want %s", c, j.said[0][c], want))
		}
	}
	slices.Sort(wrong)
	return strings.Join(wrong, "; "), nil
}

// small returns a small case with a disagreement of the same sort.
func small(ctx context.Context, panel []judge, seed uint64, f found) *Kept {
	kept := &Kept{About: f.what.Text, Case: f.c}
	least := shrink(rapidSeed(seed, f.number), func(c *Case) bool {
		j, err := judgeCase(ctx, panel, c, f.number)
		if err != nil || j.wrong == nil || j.wrong.Sort != f.what.Sort {
			return false
		}
		kept.About = j.wrong.Text
		return true
	})
	if least != nil {
		kept.Case = least
	}
	return kept
}
