package verdict

import "github.com/turnproof/turnproof/verify"

// Unproved returns the claim of a report that is not proved, see verify.Unproved, and why, or "".
func Unproved(rep *verify.Report) string { return verify.Unproved(rep.Claims()) }
