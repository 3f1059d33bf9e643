package verdict

import "github.com/turnproof/turnproof/verify"

// Unproved returns the first claim of a report that is not proved, and why, or "".
func Unproved(rep *verify.Report) string {
	for _, c := range rep.Claims() {
		if c.Verdict != verify.Proved {
			return c.Name + ": " + c.Reason
		}
	}
	return ""
}
