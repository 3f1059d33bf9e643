package cli

import "fmt"

// Exit statuses that scripts rely on, see docs/command-line.md.
const (
	ExitHolds       = 0 // the claim holds, or the work is done
	ExitRefuted     = 1
	ExitUsage       = 2 // wrong usage or input
	ExitUndecided   = 3
	ExitInterrupted = 130 // 128 + SIGINT, as in shells
)

// exitStatus describes an exit status.
type exitStatus struct {
	Code  int
	About string
}

// ExitStatuses returns the exit statuses with their meanings.
func ExitStatuses() []exitStatus {
	return []exitStatus{
		{ExitHolds, "the claims hold, or the work is done"},
		{ExitRefuted, "a claim is refuted, a simulation froze, or a search found that nothing exists"},
		{ExitUsage, "wrong usage or input, or a file that cannot be written"},
		{ExitUndecided, "undecided, a limit was reached, or items of shards are missing after --merge"},
		{ExitInterrupted, "interrupted (SIGINT) with no result to report"},
	}
}

// Status is an exit status that a command returns as an error. Run prints no message for it.
type Status int

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
