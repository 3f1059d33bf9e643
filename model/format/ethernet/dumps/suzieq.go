package dumps

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the raw outputs that SuzieQ keeps: lists of objects with the output of one command on one device. A file has the devices of
// a whole network.
//
// Servers are no switches: a Linux device counts only if a routing protocol has put routes into its table. All other devices must have
// routes. An error message in place of the routes of a device is no server.

type suzieqRecord struct {
	Cmd      any    `json:"cmd"`
	Type     string `json:"devtype"`
	Space    string `json:"namespace"`
	Host     string `json:"hostname"`
	Data     any    `json:"data"`
	Version  any    `json:"version"`
	TimeRead any    `json:"timestamp"`
}

func isSuzieq(head []byte) bool {
	return bytes.HasPrefix(compact(head), []byte("[")) && bytes.Contains(head, []byte(`"devtype"`)) && bytes.Contains(head, []byte(`"cmd"`)) &&
		bytes.Contains(head, []byte(`"hostname"`))
}

// routed matches routes of routing protocols in the text of ip route, by name or number.
var routed = regexp.MustCompile(`proto (bgp|ospf|isis|eigrp|zebra|18[6-9]|19[0-2]|11) `)

// readSuzieq reads a file, given the switches by name.
func readSuzieq(src *textfile.File, of func(name string) *Switch) error {
	s := newScanner(src)
	space := ""
	return s.values(func() error {
		return s.elements(func() error {
			var r suzieqRecord
			if err := s.value(&r); err != nil {
				return err
			}
			switch {
			case r.Host == "":
				return s.errorf("a record without a hostname")
			case space != "" && r.Space != space:
				return s.errorf("namespaces %s and %s; want a folder for each", textfile.Clip(space), textfile.Clip(r.Space))
			}
			space = r.Space
			return s.suzieqData(&r, of)
		})
	})
}

// isOfRoutes reports whether the command of a record prints routes.
func isOfRoutes(r *suzieqRecord) bool { return strings.Contains(fmt.Sprint(r.Cmd), "route") }

// suzieqData reads the output of one command.
func (s *scanner) suzieqData(r *suzieqRecord, of func(name string) *Switch) error {
	content, isText := r.Data.(string)
	if !isText && r.Data != nil {
		b, err := stdjson.Marshal(r.Data)
		if err != nil {
			return s.errorf("data of %s: %s", r.Host, err)
		}
		content = string(b)
	}
	if r.Type != "linux" {
		of(r.Host).MustRoute = true
	}
	kind := Find([]byte(content[:min(len(content), 1<<16)]))
	if kind == nil || kind.Read == nil || kind.Name == "empty" { // another command, or its error
		if isOfRoutes(r) { // whether a Linux device is a server is unknown without its routes
			of(r.Host).MustRoute = true
		}
		return nil
	}
	sw := of(r.Host)
	if r.Type == "linux" && kind.Name == "routes (ip route)" && !routed.MatchString(content) {
		return nil
	}
	part, err := textfile.New(s.src.Name+" ("+r.Host+")", strings.NewReader(content), nil)
	if err != nil {
		return err
	}
	return kind.Read(part, sw)
}
