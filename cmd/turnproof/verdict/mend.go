package verdict

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// MendJSON is the result of --mend. The output of check has none if all claims are proved.
type MendJSON struct {
	// Verdict is that about the changed tables: proved, undecided for reasons outside of the tables, or none if there are no such tables.
	Verdict    string        `json:"verdict"`
	Reason     string        `json:"reason,omitempty"`     // why they are undecided, or why there are none
	Management []TrafficJSON `json:"management,omitempty"` // verdicts about them if management packets are included, if decided
	Changes    []ChangeJSON  `json:"changes"`
	Entries    int           `json:"entries"`
	LowerBound int           `json:"lower_bound"`
	Optimal    bool          `json:"optimal"`
	Longest    int           `json:"max_switches_on_path"`
}

// ChangeJSON is a changed table entry.
type ChangeJSON struct {
	Switch      string      `json:"switch"`
	GUID        string      `json:"guid,omitempty"`
	LID         uint16      `json:"lid"`
	Destination string      `json:"destination"`
	OldPort     *model.Port `json:"old_port"` // null if there was no entry
	NewPort     model.Port  `json:"new_port"`
	Next        string      `json:"next"` // switch or host that NewPort leads to
}

// Unproved returns the first claim of a report that is not proved, and why, or "".
func Unproved(rep *verify.Report) string {
	for _, c := range rep.Claims() {
		if c.Verdict != verify.Proved {
			return c.Name + ": " + c.Reason
		}
	}
	return ""
}
