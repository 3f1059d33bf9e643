package cert

import "fmt"

// This file defines the error that every judge returns.

// Rejection is the error for a certificate that does not hold.
type Rejection struct {
	Claim  string // the name of a claim, "subject", or "file"
	Reason string
}

// Error implements error.
func (r *Rejection) Error() string {
	if r.Claim == "subject" || r.Claim == "file" {
		return r.Claim + ": " + r.Reason
	}
	return "claim " + r.Claim + ": " + r.Reason
}

// Reject returns a *Rejection. Claim is the name of a claim, "subject", or "file".
func Reject(claim, format string, args ...any) error {
	return &Rejection{claim, fmt.Sprintf(format, args...)}
}
