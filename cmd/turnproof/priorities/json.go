package priorities

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file prints the result as JSON.

type resultJSON struct {
	Schema     string          `json:"schema"`
	Folder     string          `json:"folder"`
	Switches   int             `json:"switches"`
	Prefixes   int             `json:"host_prefixes"`
	Bounces    *int            `json:"bounces"`    // of --bounces; null: the present routes
	Priorities *int            `json:"priorities"` // null: none found
	AtLeast    int             `json:"at_least"`
	Cycle      []string        `json:"cycle"`  // of the routes in one priority
	Tagger     *int            `json:"tagger"` // priorities with one for each bounce; null: no levels
	PFC        []int           `json:"pfc_priorities"`
	DSCPs      []int           `json:"dscps"`
	Rules      []ruleJSON      `json:"rules"`
	RulesLeast int             `json:"rules_at_least"`
	Tunnels    []tunnelJSON    `json:"tunnels,omitempty"`     // of dual ToR
	Moved      []int           `json:"moved_dscps,omitempty"` // of frames in tunnels; see tunnels.moved
	Claims     []claimJSON     `json:"claims"`
	Withdraw   *withdrawJSON   `json:"withdraw"` // null: not looked for
	Premises   []model.Premise `json:"premises"`
	Warnings   []string        `json:"warnings"`
	Notes      []string        `json:"notes"`
	Inputs     []model.Input   `json:"inputs"`
	Seconds    float64         `json:"seconds"`
}

// ruleJSON is a rule. From is empty for frames of hosts.
type ruleJSON struct {
	Switch  string `json:"switch"`
	InPort  string `json:"in_port"`
	From    string `json:"from"`
	OutPort string `json:"out_port"`
	To      string `json:"to"`
	Is      int    `json:"priority"`
	Becomes int    `json:"becomes"`
}

// tunnelJSON says which priority and DSCP frames have in tunnels.
type tunnelJSON struct {
	Priority int `json:"priority"`
	Becomes  int `json:"becomes"`
	DSCP     int `json:"dscp"`
}

type claimJSON struct {
	Of      string         `json:"of"` // rules, bounces, policies or sonic
	Claim   string         `json:"claim"`
	Verdict verify.Verdict `json:"verdict"`
	Reason  string         `json:"reason,omitempty"`
}

type withdrawJSON struct {
	Decided  bool      `json:"decided"`
	Possible bool      `json:"possible"`
	AtLeast  int       `json:"at_least"`
	List     []hopJSON `json:"next_hops"`
}

type hopJSON struct {
	Switch   string   `json:"switch"`
	Port     string   `json:"port"`
	Next     string   `json:"next"`
	Prefixes []string `json:"prefixes"`
}

func (r *result) json() *resultJSON {
	f, n := r.found, r.network()
	out := &resultJSON{Schema: "turnproof.priorities/1", Folder: r.in.Name, Switches: len(r.fabric.Dumps()), Prefixes: r.in.Net.NumHosts(), AtLeast: f.Bound,
		Cycle: append([]string{}, r.circle...), PFC: append([]int{}, r.options.Priorities[:f.Priorities]...),
		DSCPs: append([]int{}, r.options.DSCPs[:f.Priorities]...), Rules: []ruleJSON{}, RulesLeast: f.RuleBound, Claims: []claimJSON{},
		Premises: []model.Premise{}, Warnings: append([]string{}, r.in.Warnings...), Notes: append([]string{}, r.in.Notes...),
		Inputs: append([]model.Input{}, r.in.Files...), Seconds: r.seconds}
	if r.c.IsSet("bounces") {
		k := int(r.c.Uint("bounces"))
		out.Bounces = &k
	}
	if f.Priorities > 0 {
		out.Priorities = &f.Priorities
	}
	if f.Bounces > 0 {
		out.Tagger = &f.Bounces
	}
	for _, x := range f.Rules {
		j := ruleJSON{Switch: r.name(x.Switch), OutPort: n.PortName(x.Switch, n.TailPort(x.Out)), To: r.name(n.Head(x.Out)),
			Is: r.options.Priorities[x.From], Becomes: r.options.Priorities[x.To]}
		if x.In != model.NoChannel {
			j.InPort, j.From = n.PortName(x.Switch, n.HeadPort(x.In)), r.name(n.Tail(x.In))
		}
		out.Rules = append(out.Rules, j)
	}
	if r.tunnels != nil {
		for _, x := range r.tunnels.list {
			out.Tunnels = append(out.Tunnels, tunnelJSON{x.From, x.To, x.DSCP})
		}
		if r.rep != nil {
			out.Moved = r.tunnels.moved
		}
	}
	if r.rep != nil {
		out.Premises = append(out.Premises, r.rep.Premises...)
		out.claim("rules", "deadlock-free", r.rep.DeadlockFree)
		out.claim("rules", "connected", r.rep.Connected)
	}
	if r.bouncing != nil {
		out.claim("bounces", "deadlock-free", r.bouncing.DeadlockFree)
	}
	if r.filtered != nil {
		out.claim("policies", "deadlock-free", r.filtered.DeadlockFree)
		out.claim("policies", "connected", r.filtered.Connected)
	}
	if r.read != nil {
		out.claim("sonic", "deadlock-free", r.read.DeadlockFree)
	}
	if x := r.withdrawn; x != nil {
		out.Withdraw = &withdrawJSON{x.IsDecided, x.IsPossible, x.Bound, []hopJSON{}}
		for _, h := range x.List {
			out.Withdraw.List = append(out.Withdraw.List, hopJSON{r.name(h.Switch), n.PortName(h.Switch, n.TailPort(h.Out)), r.name(n.Head(h.Out)),
				r.prefixes(h.Dests)})
		}
	}
	return out
}

func (j *resultJSON) claim(of, name string, c verify.Claim) {
	j.Claims = append(j.Claims, claimJSON{of, name, c.Verdict, c.Reason})
}
