package enumerate

import (
	"encoding/json"
	"math/big"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// This file prints the result as JSON, according to docs/schema/enumerate.json.

type enumerateJSON struct {
	Schema           string       `json:"schema"`
	Space            string       `json:"space"`
	Family           string       `json:"family"`
	Tree             string       `json:"tree"`
	UTurns           bool         `json:"u_turns"`
	Choices          string       `json:"choices"`
	Turns            []string     `json:"turns"`
	Sets             json.Number  `json:"sets"`
	DeadlockFree     json.Number  `json:"deadlock_free"`
	Connected        *json.Number `json:"connected"`
	Maximal          int          `json:"maximal"`
	MaximalConnected *int         `json:"maximal_connected"`
	Symmetries       int          `json:"symmetries"`
	Classes          *json.Number `json:"classes"`
	ClassesReversal  *json.Number `json:"classes_reversal"`
	Complete         bool         `json:"complete"`
	List             []setJSON    `json:"list"`
	Published        []setJSON    `json:"published"`
	Policy           *policyJSON  `json:"policy"`
	Seconds          float64      `json:"seconds"`
}

type setJSON struct {
	Name         string            `json:"name"`
	Class        int               `json:"class"`
	Conflict     bool              `json:"conflict"`
	Allowed      []string          `json:"allowed"`
	Prohibited   []string          `json:"prohibited"`
	DeadlockFree *bool             `json:"deadlock_free"`
	Connected    *bool             `json:"connected"`
	Maximal      bool              `json:"maximal"`
	Ranks        map[string]string `json:"ranks,omitempty"`
	Network      string            `json:"network,omitempty"`
	Links        [][2]string       `json:"links,omitempty"`
	Cycle        []say.HopJSON     `json:"cycle,omitempty"`
	Unreached    *apartJSON        `json:"unreached,omitempty"`
	Simulated    *confirm.Result   `json:"simulated,omitempty"`
}

type apartJSON struct {
	Network string `json:"network"`
	From    string `json:"from"`
	To      string `json:"to"`
}

type policyJSON struct {
	Kept    [][]string `json:"kept"`
	Outside [][]string `json:"outside"`
}

func (x *enumeration) json(c *cli.Context) error {
	s := x.e.Space
	number := func(k *big.Int) json.Number { return json.Number(k.String()) }
	j := enumerateJSON{Schema: "turnproof.enumerate/1", Space: s.Name, Family: s.About, Tree: string(s.Tree), UTurns: s.UTurns,
		Choices: string(x.choices), Turns: s.Names(s.All()),
		Sets: number(x.sets), DeadlockFree: number(x.tally.Free), Maximal: x.maximals[0],
		Symmetries: len(s.Symmetries), Complete: x.complete, List: []setJSON{}, Published: []setJSON{}, Seconds: x.seconds}
	if x.classes != nil {
		classes, reversal := number(x.classes), number(x.reversal)
		j.Classes, j.ClassesReversal = &classes, &reversal
	}
	if x.tally.Connected != nil && x.e.Connector().Decides() {
		connected := number(x.tally.Connected)
		j.Connected, j.MaximalConnected = &connected, &x.maximals[1]
	}
	for _, d := range x.list {
		j.List = append(j.List, newSetJSON(d, x))
	}
	for _, d := range x.published {
		j.Published = append(j.Published, newSetJSON(d, x))
	}
	if x.decidesPolicy() {
		kept, more := x.policySets()
		j.Policy = &policyJSON{Kept: [][]string{}, Outside: [][]string{}}
		for _, set := range kept {
			j.Policy.Kept = append(j.Policy.Kept, s.Names(s.All().Minus(set)))
		}
		for _, set := range more {
			j.Policy.Outside = append(j.Policy.Outside, s.Names(s.All().Minus(set)))
		}
	}
	return cli.PrintJSON(c.App.Writer, j)
}

func newSetJSON(d *enumerate.SetReport, x *enumeration) setJSON {
	s := x.e.Space
	j := setJSON{Name: d.Name, Class: d.Class, Conflict: d.Conflict, Allowed: s.Names(d.Set), Prohibited: s.Names(s.All().Minus(d.Set)),
		Maximal: d.Maximal, Simulated: x.simulated[d]}
	if d.Undecided == "" {
		j.DeadlockFree = &d.Free
	}
	if x.e.Connector().Decides() {
		j.Connected = &d.Connected
	}
	if d.Free {
		j.Ranks = map[string]string{}
		for p := range s.Places {
			j.Ranks[s.Places[p].Name] = x.e.Decider.String(d.Verdict.Ranks[p])
		}
	}
	if d.Witness != nil {
		n := d.Witness.Net
		if j.Network = d.Witness.Name; j.Network == "" {
			for l := range n.NumLinks() {
				k := n.Link(model.LinkID(l))
				j.Links = append(j.Links, [2]string{n.SwitchName(k.A), n.SwitchName(k.B)})
			}
		}
		for _, v := range d.Witness.Cycle {
			j.Cycle = append(j.Cycle, say.NewHopJSON(n, v))
		}
	}
	if d.Apart != nil {
		n := d.Apart.Net
		j.Unreached = &apartJSON{memberName(d.Apart.Name, n.NumSwitches()), n.SwitchName(model.SwitchID(d.From)), n.SwitchName(model.SwitchID(d.To))}
	}
	return j
}
