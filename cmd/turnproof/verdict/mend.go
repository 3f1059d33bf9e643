package verdict

import (
	"github.com/turnproof/turnproof/model"
)

// MendJSON is the result of --mend. The output of check has none if all claims are proved.
type MendJSON struct {
	Verdict    string       `json:"verdict"` // about the changed tables
	Changes    []ChangeJSON `json:"changes"`
	Entries    int          `json:"entries"`
	LowerBound int          `json:"lower_bound"`
	Optimal    bool         `json:"optimal"`
	Longest    int          `json:"max_switches_on_path"`
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
