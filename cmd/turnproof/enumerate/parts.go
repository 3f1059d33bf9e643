package enumerate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/internal/batch"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// This file runs the count of "enumerate --choices one-per-cycle" in independent parts.

// notForParts are the flags that have no influence on the parts, besides those of files.
var notForParts = []string{"limit", "cross-check", "simulate"}

// runParts computes all parts, if there are any: listed says that the sets are decided one by one instead. It returns
// done = false if this command has no results to print.
func (x *enumeration) runParts(c *cli.Context, listed bool) (counts *enumerate.Counts, done bool, err error) {
	if x.choices != enumerate.OnePerCycle || listed {
		if flag := machines.Given(c); flag != "" {
			return nil, false, fmt.Errorf("--%s: --choices %s of %s has no parts, it runs on one machine", flag, x.choices, x.e.Space.Name)
		}
		return nil, true, nil
	}
	parts, err := x.e.Counting()
	if err != nil {
		return nil, false, err
	}
	hash, err := x.hash(c)
	if err != nil {
		return nil, false, err
	}
	header := batch.Header{Schema: "turnproof.enumerate-journal/1", Hash: hash, Items: parts.Parts(), Stamp: c.App.Version}
	work := batch.Work[enumerate.Tally]{N: parts.Parts(), Hash: hash, Run: "enumerate", Item: "part", Compute: parts.Part,
		Format: batch.Indexed[enumerate.Tally](header, "space or choice of sets", nil)}
	found, done, err := machines.Run(c, work, machines.Options{Skip: notForParts})
	if err != nil || !done {
		return nil, done, err
	}
	counts, err = parts.Sum(found)
	return counts, true, err
}

// hash returns the SHA-256 of what defines the parts, in hex.
func (x *enumeration) hash(c *cli.Context) (string, error) {
	text, err := json.Marshal(struct {
		Space   *space.Space
		Choices enumerate.Choices
	}{x.e.Space, x.choices})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
