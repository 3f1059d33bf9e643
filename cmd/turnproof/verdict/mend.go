package verdict

import (
	"github.com/turnproof/turnproof/model"
)

// MendJSON is what --mend found; null in check's JSON where nothing was to be mended.
type MendJSON struct {
	Verdict    string       `json:"verdict"` // of the mended tables
	Changes    []ChangeJSON `json:"changes"`
	Entries    int          `json:"entries"`
	LowerBound int          `json:"lower_bound"`
	Optimal    bool         `json:"optimal"`
	Longest    int          `json:"max_switches_on_path"`
}

// ChangeJSON is an entry with another port.
type ChangeJSON struct {
	Switch      string      `json:"switch"`
	GUID        string      `json:"guid,omitempty"`
	LID         uint16      `json:"lid"`
	Destination string      `json:"destination"`
	OldPort     *model.Port `json:"old_port"` // null: there was no entry
	NewPort     model.Port  `json:"new_port"`
	Next        string      `json:"next"` // switch or host behind the new port
}
