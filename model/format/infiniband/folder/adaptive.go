package folder

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file finds files about adaptive routing in a folder that are not read. They show that
// switches may not forward by the linear tables alone.

// adaptiveName matches the names of ibdiagnet's files about adaptive routing.
var adaptiveName = regexp.MustCompile(`(?i)(\.(far|ar|plft|far_flid|rn|rn2)|^dump_ar.*|^ar_(info|lft|group).*)(\.gz)?$`)

// isAdaptiveEvidence reports whether path has the name of a file about adaptive routing, and has
// an entry.
func isAdaptiveEvidence(path string) bool {
	if !adaptiveName.MatchString(filepath.Base(path)) {
		return false
	}
	src, err := textfile.Open(path, nil)
	if err != nil {
		return true
	}
	defer src.Close()
	for line, ok := src.Next(); ok; line, ok = src.Next() {
		if b := textfile.SkipBlanks(line); len(b) > 0 && b[0] != '#' && b[0] != '-' && bytes.Contains(b, []byte("0x")) {
			return true
		}
	}
	return false
}

// leaveAdaptive adds a note about adaptive tables that the routing given by the user replaces.
func (f *Files) leaveAdaptive(place *string, files []string, routing string) {
	if place != &f.Adaptive || !isFile(routing) {
		return
	}
	for _, file := range files {
		if a, err := os.Stat(file); err == nil {
			if b, err := os.Stat(routing); err == nil && os.SameFile(a, b) {
				return
			}
		}
		f.AdaptiveUnread = append(f.AdaptiveUnread, filepath.Base(file))
	}
}

// AdaptiveDoubt returns a doubt about tables with a single port for each LID, if the folder has
// unread files about adaptive routing.
func (f *Files) AdaptiveDoubt() (d model.Doubt, ok bool) {
	if len(f.AdaptiveUnread) == 0 {
		return d, false
	}
	next := "put ibdiagnet2.far, which ibdiagnet --routing writes, into the folder"
	for _, name := range f.AdaptiveUnread {
		if strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".far") {
			next = "give " + name + " as the routing; it must be the file that ibdiagnet --routing writes"
		}
	}
	return model.Doubt{Premise: model.PremiseAdaptive, Next: next,
		Reason: "the fabric uses adaptive routing (" + textfile.Capped(f.AdaptiveUnread, len(f.AdaptiveUnread)) +
			"), so packets do not follow the linear tables alone"}, true
}
