package verdict

import (
	"github.com/turnproof/turnproof/verify"
)

// FailuresJSON is what became of the failures.
type FailuresJSON struct {
	Kind      string       `json:"kind"` // links or switches
	Tried     int          `json:"tried"`
	Proved    int          `json:"proved"`
	Refuted   int          `json:"refuted"`
	Undecided int          `json:"undecided"`
	Unrouted  int          `json:"unrouted"` // the method makes no routing
	List      []FailedJSON `json:"list"`     // the worst first
}

// FailedJSON is one failure.
type FailedJSON struct {
	Failed       string   `json:"failed"`
	LostHosts    []string `json:"lost_hosts"` // attached to the switch that failed
	Verdict      string   `json:"verdict"`    // proved, refuted, undecided, unrouted
	DeadlockFree *bool    `json:"deadlock_free"`
	Unreachable  int64    `json:"unreachable_pairs"`
	Pairs        int64    `json:"pairs"`
	Longest      *int     `json:"max_switches_on_path"`
	Reason       string   `json:"reason,omitempty"`
	Rank         [3]int64 `json:"-"`
}

// Verdict is that over all failures.
func (f *FailuresJSON) Verdict() verify.Verdict {
	switch {
	case f == nil || f.Proved == f.Tried:
		return verify.Proved
	case f.Refuted+f.Unrouted > 0:
		return verify.Refuted
	}
	return verify.Undecided
}
