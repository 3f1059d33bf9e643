package report

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
)

// This file writes command lines that reproduce a part of the page.

// command returns the line that runs a command of turnproof on the routing, with further words. It
// returns "" if the request names no network.
func (x *Routing) command(name string, more ...string) string {
	q := x.Request
	if q.Network == "" {
		return ""
	}
	words := append(append([]string{"turnproof"}, strings.Fields(name)...), q.Network)
	flag := func(name, value string) {
		if value != "" {
			words = append(words, name, value)
		}
	}
	flag("-r", x.Subject.Routing)
	flag("--sl", q.SL)
	flag("--sl2vl", q.SL2VL)
	flag("--paths", q.Paths)
	if q.LMC != nil {
		flag("--lmc", fmt.Sprint(*q.LMC))
	}
	if q.Management != "" {
		words = append(words, "--management="+q.Management)
	}
	return wording.ShellLine(append(words, more...)...)
}

// networkCommand returns the line that runs a command of turnproof on the network alone, or "".
func (x *Routing) networkCommand(name string, more ...string) string {
	if x.Request.Network == "" {
		return ""
	}
	words := append(append([]string{"turnproof"}, strings.Fields(name)...), x.Request.Network)
	return wording.ShellLine(append(words, more...)...)
}
