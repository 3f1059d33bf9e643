package enumerate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/internal/batch"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// This file runs the long computations of "enumerate" in independent parts: first those of the count,
// then the cubes of the search for maximal sets.

// parts are the parts of an enumeration. A nil field has none.
type parts struct {
	counting *enumerate.Counting
	cubes    *enumerate.Cubes

	counts *enumerate.Counts // the results
	border *enumerate.Border
}

// part is the result of a part: one of the two.
type part struct {
	*enumerate.Tally
	*enumerate.Border
}

// newParts returns the parts for --choices. listed says that the sets of one-per-cycle are decided one by
// one.
func (x *enumeration) newParts(c *cli.Context, listed bool) (p *parts, err error) {
	p = &parts{}
	if x.choices == enumerate.All || x.choices == enumerate.OnePerCycle && !listed {
		if p.counting, err = x.e.Counting(x.choices); err != nil {
			return nil, err
		}
	}
	if (x.choices == enumerate.All || x.choices == enumerate.Maximal) && !x.byOrders() {
		solver, err := solverOf(c)
		if err != nil {
			return nil, err
		}
		p.cubes = x.e.Cubes(solver, c.Int("search"))
	}
	return p, nil
}

// byOrders reports whether the maximal sets are found without a solver, by the orders of directions.
func (x *enumeration) byOrders() bool { return x.e.Space.Kind == space.Mesh && x.e.Space.Dims > 2 }

// number returns the number of parts of the count, and of all parts.
func (p *parts) number() (counting, all int) {
	if p.counting != nil {
		counting = p.counting.Parts()
	}
	if all = counting; p.cubes != nil {
		all += p.cubes.Parts()
	}
	return counting, all
}

// notForParts are the flags that have no influence on the parts, besides those of files.
var notForParts = []string{"limit", "cross-check", "simulate"}

// runParts computes all parts. It returns false if this command has no results to print. If it is
// interrupted in a search for maximal sets, it returns what finished parts have found.
func (x *enumeration) runParts(c *cli.Context, p *parts) (bool, error) {
	counting, all := p.number()
	if flag := machines.Given(c); all == 0 && flag != "" {
		return false, fmt.Errorf("--%s: --choices %s of %s has no parts, it runs on one machine", flag, x.choices, x.e.Space.Name)
	}
	hash, err := x.hash(c)
	if err != nil {
		return false, err
	}
	header := batch.Header{Schema: "turnproof.enumerate-journal/1", Hash: hash, Items: all, Stamp: c.App.Version}
	work := batch.Work[part]{N: all, Hash: hash, Run: "enumerate", Item: "part", Format: batch.Indexed[part](header, "space or choice of sets", nil),
		Compute: func(ctx context.Context, i int) (part, error) {
			if i < counting {
				tally, err := p.counting.Part(ctx, i)
				return part{Tally: &tally}, err
			}
			border, err := p.cubes.Part(ctx, i-counting)
			return part{Border: border}, err
		}}
	found, done, err := machines.Run(c, work, machines.Options{Skip: notForParts})
	if errors.Is(err, context.Canceled) && x.choices == enumerate.Maximal && !machines.Elsewhere(c) {
		done, err = true, nil
	}
	if err != nil || !done {
		return done, err
	}
	return true, p.take(found)
}

// take joins the results of parts.
func (p *parts) take(found []part) (err error) {
	var tallies []enumerate.Tally
	var borders []*enumerate.Border
	for _, one := range found {
		if one.Tally != nil {
			tallies = append(tallies, *one.Tally)
		} else {
			borders = append(borders, one.Border)
		}
	}
	if p.cubes != nil {
		p.border = p.cubes.Join(borders)
	}
	if p.counting != nil {
		p.counts, err = p.counting.Sum(tallies)
	}
	return err
}

// hash returns the SHA-256 of what defines the parts, in hex.
func (x *enumeration) hash(c *cli.Context) (string, error) {
	text, err := json.Marshal(struct {
		Space   *space.Space
		Choices enumerate.Choices
		Search  int
	}{x.e.Space, x.choices, c.Int("search")})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
