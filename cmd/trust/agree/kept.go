package agree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file keeps cases, a JSON file each.

// Kept is the content of a file.
type Kept struct {
	About string            `json:"about"`          // the disagreement, or another reason to keep the case
	Want  map[string]string `json:"want,omitempty"` // correct verdicts of verify.Check by claim
	Case  *Case             `json:"case"`
}

// write writes a case into a folder.
func (k *Kept) write(folder, name string) error {
	text, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, name+".json"), append(text, '\n'), 0o644))
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

// replay judges a kept case. It returns what is wrong, or "": a disagreement, or a verdict that
// is not the one in Want.
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
