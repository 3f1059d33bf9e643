package mending

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/gate"
	nodes "github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/synth/mend"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
)

// Found is the result of Find.
type Found struct {
	Given  *model.Table
	Mended *mend.Mended   // nil if there are none
	After  *verify.Report // about the mended tables; nil if there are none, and Reason says why
	Reason string
}

// Find looks for better tables and judges them. rep is the report about the tables of in, which o has decided. What Multicast of the limits
// should be is in rep. proving, which may be nil, is called before they are judged. If ctx ends, Find judges the best tables found so far.
// It fails if the input has no tables, or if the mended tables are refuted.
func Find(ctx context.Context, in *resolve.Subject, rep *verify.Report, o verify.Options, limits mend.Options, proving func()) (*Found, error) {
	given, err := TableOf(in)
	if err != nil {
		return nil, err
	}
	f := &Found{Given: given}
	limits.Multicast = rep.Multicast()
	if r, ok := rep.Relation.(model.Flowing); ok {
		limits.Flows = r.Flows() // those of replies, too
	}
	withMemory(limits.Memory, func() { f.Mended, err = mend.Find(ctx, given, limits) })
	switch {
	case errors.Is(err, mend.ErrNone) || errors.Is(err, mend.ErrTime):
		f.Reason = strings.TrimPrefix(err.Error(), "mend: ")
		return f, nil
	case err != nil:
		return nil, fmt.Errorf("--mend: %w", err)
	}
	rules := flowRules(rep)
	if rules != "" && len(f.Mended.Changes) == 0 {
		f.Reason = "the tables lose no packet and have no cycle of dependencies; no search looks for tables that suit " + rules
		return f, nil
	}
	if proving != nil {
		proving()
	}
	o.Switching, o.Open, o.Waiting, o.NoPairs = rep.Switching, false, "", true
	after, err := verify.Check(context.WithoutCancel(ctx), OnFlows(in, f.Mended.Table), o)
	switch {
	case err != nil:
		return nil, err
	case after.Verdict() == verify.Refuted && rep.Switching == model.Wormhole && rep.Multicast() != nil:
		f.Reason = "copies of multicast packets block each other in the mended tables, too, because they are longer than buffers"
		return f, nil
	case after.Verdict() == verify.Refuted && after.Routes.LostEnd == cert.EndNoClass:
		f.Reason = fmt.Sprintf("no service level is known for %s, for example of the %s, which has no route in the given tables; next: "+
			"the path records of these LIDs, too", wording.Count(int(after.Routes.Unreachable), "pair", "s"), explain.PacketText(in.Rel, after.Routes.Lost))
		return f, nil
	case after.Verdict() == verify.Refuted && rules != "":
		f.Reason = fmt.Sprintf("tables without a cycle of dependencies were found, but they would still fail under %s (%s)", rules, verdict.Unproved(after))
		return f, nil
	case onlyMessages(after):
		f.Reason = fmt.Sprintf("the mended tables would still fail for --classes (%s); next: give these classes virtual networks "+
			"of their own, or mend without --classes", verdict.Unproved(after))
		return f, nil
	case after.Verdict() == verify.Refuted:
		return nil, fmt.Errorf("internal error: the mended tables are %s: %s", after.Verdict(), verdict.Unproved(after))
	}
	f.After = after
	return f, nil
}

// flowRules names the conditions of a report under which tables with a cycle of dependencies can be proved, and others refuted, or "".
func flowRules(rep *verify.Report) string {
	switch {
	case model.ConditionOf[*bubble.Flow](rep.Conditions) != nil:
		return "the flow control"
	case model.ConditionOf[*gate.Setup](rep.Conditions) != nil:
		return "the gates"
	}
	return ""
}

// BoundOf says which tables the bound on the changes is about, or is "" if these are all that could be proved.
func BoundOf(after *verify.Report) string {
	if flowRules(after) == "" {
		return ""
	}
	return "tables without a cycle of dependencies"
}

// LeastText says what is known about fewer changes.
func LeastText(bound int, isOptimal bool, of string) string {
	text := fmt.Sprintf("at least %d are needed", bound)
	if isOptimal {
		text = "fewer changes are not enough"
	}
	if of != "" {
		text += " for " + of
	}
	return text
}

// onlyMessages reports whether the claim about messages is refuted and no other one.
func onlyMessages(rep *verify.Report) bool {
	isRefuted := false
	for _, claim := range rep.Claims() {
		if claim.Verdict == verify.Refuted {
			if claim.Name != cert.ClaimMessages {
				return false
			}
			isRefuted = true
		}
	}
	return isRefuted
}

// TableOf returns the tables of the input for all pairs of hosts, in any format.
func TableOf(in *resolve.Subject) (*model.Table, error) {
	rel := in.Rel
	if f, ok := rel.(model.Flowing); ok {
		rel = f.AllPairs()
	}
	if in.Tables() != nil {
		return rel.(*model.Table), nil
	}
	t, err := mend.TableOf(rel)
	if err != nil {
		return nil, fmt.Errorf("--mend changes tables of one next hop for each switch and destination; of %s, %w", in.Routing, err)
	}
	return t, nil
}

// OnFlows returns the routing of a table for the pairs that talk.
func OnFlows(in *resolve.Subject, t *model.Table) model.Relation {
	if in.Flows == nil {
		return t
	}
	return model.WithFlows(t, in.Flows)
}

// PairsText is a sentence that says for which pairs mended tables are judged, or "" if these are all.
func PairsText(rep *verify.Report) string {
	r, ok := rep.Relation.(model.Flowing)
	if !ok {
		return ""
	}
	return fmt.Sprintf("The tables are judged for %s of hosts; others may lose their paths.", wording.Count(len(r.Flows()), "pair", "s"))
}

// Write writes mended tables in the form of the given ones: forwarding tables of InfiniBand, or the CSV of table --kind next-hops.
func Write(w io.Writer, t *model.Table, isOpenSM bool) error {
	if isOpenSM {
		return lft.Write(w, t)
	}
	n := t.Network()
	x, out := nodes.New(n), csv.NewWriter(w)
	list := [][]string{{"switch", "destination", "out_port"}}
	for u := range model.SwitchID(n.NumSwitches()) {
		for d := range model.DestID(t.Destinations()) {
			if p, ok := t.Port(u, d); ok {
				list = append(list, []string{x.SwitchName(u), x.HostName(t.DestinationHost(d)), fmt.Sprint(p)})
			}
		}
	}
	return out.WriteAll(list)
}

// Change is a changed table entry.
type Change struct {
	Switch      string      `json:"switch"`
	GUID        string      `json:"guid,omitempty"`
	LID         uint16      `json:"lid"`
	Destination string      `json:"destination"`
	OldPort     *model.Port `json:"old_port"` // null if there was no entry
	NewPort     model.Port  `json:"new_port"`
	Next        string      `json:"next"` // switch or host that NewPort leads to
}

// Changes lists the changed entries.
func Changes(m *mend.Mended, given *model.Table) []Change {
	n, list := given.Network(), []Change{}
	for _, x := range m.Changes {
		next := n.OutAt(x.Switch, x.New)
		change := Change{
			Switch: n.SwitchLabel(x.Switch), GUID: wording.GUID(n.Switch(x.Switch).GUID),
			LID: given.Destination(x.Dest).LID, Destination: n.HostLabel(given.DestinationHost(x.Dest)), NewPort: x.New,
		}
		if x.Old != mend.NoPort {
			change.OldPort = &x.Old
		}
		change.Next, _ = wording.End(n, n.Head(next), n.HostOf(next))
		list = append(list, change)
	}
	return list
}

// withMemory runs f with the soft memory limit of the Go runtime set to bytes.
func withMemory(bytes int64, f func()) {
	old := debug.SetMemoryLimit(bytes)
	defer debug.SetMemoryLimit(old)
	f()
}
