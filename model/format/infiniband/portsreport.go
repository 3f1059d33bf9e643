package infiniband

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes the list of ports that ibnetdiscover -p (--ports) prints, with kind, LID, port and GUID of both ends of a cable:
//
//	SW     4  4 0x0000000000200002 4x SDR - CA    10  1 0x000000000010000b ( 'S2' - 'H5' )
//	SW     4  5 0x0000000000200002 4x SDR                                    'S2'

// portsLine matches a line.
var portsLine = regexp.MustCompile(`^(SW|CA|RT) +(\d+) +(\d+) +0x([0-9a-fA-F]+) +\S+ +\S+` +
	`(?: +- +(SW|CA|RT) +(\d+) +(\d+) +0x([0-9a-fA-F]+) +\( '(.*)' \)| +'(.*)') *$`)

const portsWhole = "want all ports, as ibnetdiscover -p prints them"

// portsKind are the kinds of nodes by their words.
var portsKind = map[string]nodeKind{"SW": switchNode, "CA": hostNode, "RT": routerNode}

func readPorts(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	l := newPortList(src, o, portsWhole)
	err := src.Each(func(line []byte) error {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		m := portsLine.FindSubmatch(line)
		if m == nil {
			return src.Errorf("%q is no line of ibnetdiscover -p", textfile.Clip(line))
		}
		if m[5] == nil {
			own, err := l.end(m[4], m[2], m[3], m[10])
			own.kind = portsKind[string(m[1])]
			if err != nil {
				return err
			}
			return l.add(own, portEnd{}, false)
		}
		name, farName, isUnclear := namePair(m[9])
		own, err := l.end(m[4], m[2], m[3], name)
		if err != nil {
			return err
		}
		far, err := l.end(m[8], m[6], m[7], farName)
		if err != nil {
			return err
		}
		own.kind, far.kind, own.isUnclear, far.isUnclear = portsKind[string(m[1])], portsKind[string(m[5])], isUnclear, isUnclear
		return l.add(own, far, true)
	})
	if err != nil {
		return nil, nil, err
	}
	return l.build(o)
}

// namePair splits the text between the outer quotes of ( 'S2' - 'H5' ). If names contain what separates them, isUnclear is set.
func namePair(text []byte) (own, far []byte, isUnclear bool) {
	sep := []byte("' - '")
	own, far, found := bytes.Cut(text, sep)
	return own, far, !found || bytes.Contains(far, sep)
}

// writePortsReport writes the network as ibnetdiscover -p does.
func writePortsReport(w io.Writer, n *model.Network) error {
	word := map[nodeKind]string{switchNode: "SW", hostNode: "CA", routerNode: "RT"}
	return writePorts(n, func(own portEnd, far *portEnd) error {
		_, err := fmt.Fprintf(w, "%2s %5d %2d 0x%016x 4x SDR", word[own.kind], own.lid, own.port, own.guid)
		if err == nil && far == nil {
			_, err = fmt.Fprintf(w, "%36s'%s'\n", "", own.name)
		} else if err == nil {
			_, err = fmt.Fprintf(w, " - %2s %5d %2d 0x%016x ( '%s' - '%s' )\n", word[far.kind], far.lid, far.port, far.guid, own.name, far.name)
		}
		return err
	})
}

// portsMark matches the beginning of a line.
var portsMark = regexp.MustCompile(`(?m)^(SW|CA|RT)\s+\d+\s+\d+\s+0x[0-9a-f]+\s+\S+\s+\S+`)

// IsPorts recognises the list of ibnetdiscover -p by its first kilobytes.
func IsPorts(head []byte) bool { return portsMark.Match(head) }

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "ibnetdiscover-p", About: "list of ports by ibnetdiscover -p", Rank: 27, KeepsGUIDs: true,
		Is: IsPorts, Read: readPorts, Write: writePortsReport})
}
