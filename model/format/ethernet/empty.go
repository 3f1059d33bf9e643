package ethernet

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file judges dumps without content. They are the routes of a switch without links, or the output of a program that failed.

// hasLinks returns evidence that switch i has links, and so must have routes; or nothing.
func (r *router) hasLinks(i int) string {
	for _, e := range sortedKeys(r.switches[i].Interfaces) {
		x := r.switches[i].Interfaces[e]
		if x.Down || isLoopback(e) || r.isManagement(end{i, e}) {
			continue
		}
		for _, p := range x.Addresses {
			if a := p.Addr(); a.Is4() && !a.IsLoopback() {
				return fmt.Sprintf("%s is up and has %s in %s", e, p, r.switches[i].Addresses)
			}
		}
	}
	for _, e := range sortedEnds(r.source) {
		if e.sw == i {
			return fmt.Sprintf("it has a cable to %s by %s", r.text(r.peer[e]), r.source[e])
		}
	}
	for _, e := range sortedEnds(r.beyond) {
		if e.sw == i && !r.isManagement(e) {
			return fmt.Sprintf("%s is cabled to %s by %s", e.port, r.beyond[e], r.switches[i].LLDP)
		}
	}
	return ""
}

// emptyFiles fails if a file of zero bytes has the name of a dump: the program that should have written it has failed.
func emptyFiles(others []string) error {
	for _, path := range others {
		name := filepath.Base(path)
		if st, err := os.Stat(path); err == nil && st.Size() == 0 && (routesName.MatchString(name) || otherName.MatchString(name)) {
			return &textfile.Error{File: path, Msg: "has 0 bytes; want the output of the command that writes it, or no file"}
		}
	}
	return nil
}

// otherName matches names of files that say that a file is no dump of routes.
var otherName = regexp.MustCompile(`(?i)lldp|neighbo|addr|interface|config|qos`)

// emptyDumps names the empty dumps of a switch that has routes. One that may be of routes differs from those.
func (r *router) emptyDumps(out *format.Routed, sw *dumps.Switch, t *dumps.Table) {
	for _, file := range sw.Empty {
		if name := filepath.Base(file); otherName.MatchString(name) && !routesName.MatchString(name) {
			out.Warnings = append(out.Warnings, sw.Name+": "+name+" is empty")
			continue
		}
		out.Doubts = append(out.Doubts, bothClaims(premiseDumps, "", fmt.Sprintf("%s is empty, and %s has %s of %s", file, t.File,
			textfile.Counted(len(t.Entries), "route"), sw.Name), "dump again, or remove the empty file")...)
	}
}

// routesName matches names of files with routes.
var routesName = regexp.MustCompile(`(?i)route|fib|zebra|kernel`)
