package check

import (
	"github.com/turnproof/turnproof/cmd/turnproof/mending"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
)

// mendJSON is the result of --mend. The output of check has none if all claims are proved.
type mendJSON struct {
	// Verdict is that about the changed tables: proved, undecided for reasons outside of the tables, or none if there are no such tables.
	Verdict    string                `json:"verdict"`
	Reason     string                `json:"reason,omitempty"`     // why they are undecided, or why there are none
	Management []verdict.TrafficJSON `json:"management,omitempty"` // verdicts about them if management packets are included, if decided
	Changes    []mending.Change      `json:"changes"`
	Entries    int                   `json:"entries"`
	LowerBound int                   `json:"lower_bound"`
	BoundOf    string                `json:"lower_bound_of,omitempty"` // the tables that it bounds, if others may do
	Optimal    bool                  `json:"optimal"`
	Longest    int                   `json:"max_switches_on_path"`
	Quality    *quality.Change       `json:"quality,omitempty"` // of the given and the mended tables
}
