package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file writes command lines that reproduce a part of the page.

// line is a command line under construction.
type line []string

// flag appends a flag, unless its value is empty.
func (l *line) flag(name, value string) {
	if value != "" {
		*l = append(*l, name, value)
	}
}

// network appends what a request says about the network.
func (l *line) network(q *resolve.Request) {
	*l = append(*l, q.Network)
	for _, s := range format.Settings() {
		l.flag("--"+s.Name, q.Settings[s.Name])
	}
}

// command returns the line that runs a command of turnproof on the routing, with further words. It
// returns "" if the request names no network. Of the flags only check gets those of premises.
func (x *Routing) command(name string, more ...string) string {
	q := x.Request
	if q.Network == "" {
		return ""
	}
	words := append(line{"turnproof"}, strings.Fields(name)...)
	words.network(&q)
	words.flag("-r", q.Routing)
	words.flag("--sl", q.SL)
	words.flag("--sl2vl", q.SL2VL)
	words.flag("--paths", q.Paths)
	words.flag("--flows", q.Flows)
	if q.LMC != nil {
		words.flag("--lmc", fmt.Sprint(*q.LMC))
	}
	if q.Management != "" {
		words = append(words, "--management="+q.Management)
	}
	if !strings.HasPrefix(name, "draw") { // --hosts of draw says how hosts are drawn
		words.flag("--hosts", q.Hosts)
	}
	if name == "check" {
		words.flag("--switching", q.Switching)
		words.flag("--waiting", q.Waiting)
		words.flag("--multicast", q.Multicast)
		if q.Strict {
			words = append(words, "--strict")
		}
		words.flag("--assume", q.Assume)
	}
	return wording.ShellLine(slices.Concat(words, more)...)
}

// networkCommand returns the line that runs a command of turnproof on the network alone, or "".
func (x *Routing) networkCommand(name string, more ...string) string {
	if x.Request.Network == "" {
		return ""
	}
	words := append(line{"turnproof"}, strings.Fields(name)...)
	words.network(&x.Request)
	return wording.ShellLine(slices.Concat(words, more)...)
}
