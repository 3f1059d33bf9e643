package states

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file keeps verdicts from input that gives reason to doubt them, and refuses conditions that are not decided.

// Doubts are reasons to doubt verdicts.
type Doubts []model.Doubt

// take notes the doubts of a state, but those about management traffic that its table t leaves out. t may be nil. It refuses conditions on
// packets, because changes under them are not decided.
func (s *Doubts) take(name string, t *model.Table, o verify.Options) error {
	for _, d := range o.Doubts {
		if t == nil || d.Managed <= t.Management() {
			*s = append(*s, d)
		}
	}
	for _, x := range o.Conditions {
		m, ok := x.(*model.Multicast)
		switch {
		case ok && m.Copies():
			return fmt.Errorf("%s has %s, and changes of multicast tables are not decided; --multicast none leaves them out", name,
				wording.Count(len(m.Groups), "multicast group", "s"))
		case !ok:
			return fmt.Errorf("%s states %s, and changes of tables are not decided with that", name, x.Condition())
		}
	}
	return nil
}

// Against returns the reason to doubt a verdict on deadlocks, or "".
func (s Doubts) Against(v verify.Verdict) string {
	for _, d := range s {
		if d.Claims != nil && !slices.Contains(d.Claims, model.ClaimDeadlockFree) {
			continue
		}
		if d.Against == "" || d.Against == model.AgainstProof && v == verify.Proved || d.Against == model.AgainstRefutation && v == verify.Refuted {
			return d.Text()
		}
	}
	return ""
}
