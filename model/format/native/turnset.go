package native

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes turn sets: turnproof.turn-set/1, one JSON object that lists
// prohibited turns. U-turns are not listed there: they are prohibited unless u_turns lists them.
//
//	{
//	  "schema": "turnproof.turn-set/1",
//	  "method": "updown",
//	  "root": 0,
//	  "switches": 4, "links": 4, "vcs": 1,
//	  "wiring": "1f0c...",
//	  "prohibited": [
//	    [2, 1, 2],
//	    [2, 2, 1]
//	  ]
//	}
//
// A row is switch number, input port, output port. With several VCs it is switch, input port,
// input VC, output port, output VC. Rows ascend. wiring is the SHA-256 of the links, in order, as
// lines of four numbers: switch, port, switch, port. If U-turns are allowed, the last key is
// "u_turns": [[2, 1], ...] with switch and port; with several VCs switch, port, input VC, output
// VC.

// turnSetSchema names the format and its version.
const turnSetSchema = "turnproof.turn-set/1"

// TurnSetInfo is the information in a file besides the turns.
type TurnSetInfo struct {
	Method string          // how the set was computed, for readers
	Root   *model.SwitchID // root of the tree on which the method is based, or nil
}

type turnSetFile struct {
	Schema     string          `json:"schema"`
	Method     string          `json:"method"`
	Root       *model.SwitchID `json:"root"`
	Switches   int             `json:"switches"`
	Links      int             `json:"links"`
	VCs        int             `json:"vcs"`
	Wiring     string          `json:"wiring"`
	Prohibited *turnRows       `json:"prohibited"`
	UTurns     turnRows        `json:"u_turns"`
}

// Wiring returns the SHA-256 of a network's links, in hex. It does not depend on the order and
// direction of the links in the network.
func Wiring(n *model.Network) string {
	type end struct{ u, p int32 }
	links := make([][2]end, n.NumLinks())
	order := func(a, b end) int { return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.p, b.p)) }
	for l := range links {
		k := n.Link(model.LinkID(l))
		links[l] = [2]end{{int32(k.A), int32(k.APort)}, {int32(k.B), int32(k.BPort)}}
		slices.SortFunc(links[l][:], order)
	}
	slices.SortFunc(links, func(a, b [2]end) int { return cmp.Or(order(a[0], b[0]), order(a[1], b[1])) })
	h := sha256.New()
	for _, k := range links {
		fmt.Fprintf(h, "%d %d %d %d\n", k[0].u, k[0].p, k[1].u, k[1].p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// WriteTurnSet writes the set of allowed turns.
func WriteTurnSet(w io.Writer, allowed *model.TurnSet, info TurnSetInfo) error {
	n, p := allowed.Network(), textfile.NewPrinter(w)
	method, err := textfile.JSON(info.Method)
	if err != nil {
		return err
	}
	root := []byte("null")
	if info.Root != nil {
		root = fmt.Append(nil, *info.Root)
	}
	p.Printf("{\n  \"schema\": %q,\n  \"method\": %s,\n  \"root\": %s,\n"+
		"  \"switches\": %d, \"links\": %d, \"vcs\": %d,\n  \"wiring\": %q,\n  \"prohibited\": [",
		turnSetSchema, method, root, n.NumSwitches(), n.NumLinks(), n.VCs(), Wiring(n))
	separator := "\n"
	for u := range model.SwitchID(n.NumSwitches()) {
		for t := range turnsAt(n, u) {
			if allowed.Has(t) {
				continue
			}
			a, i := n.Channel(t.In)
			b, j := n.Channel(t.Out)
			if n.VCs() == 1 {
				p.Printf("%s    [%d, %d, %d]", separator, u, n.HeadPort(a), n.TailPort(b))
			} else {
				p.Printf("%s    [%d, %d, %d, %d, %d]", separator, u, n.HeadPort(a), i, n.TailPort(b), j)
			}
			separator = ",\n"
		}
	}
	p.Printf("\n  ]")
	separator = ",\n  \"u_turns\": [\n"
	for t := range allowed.All() {
		if !t.IsUTurn(n) {
			continue
		}
		a, i := n.Channel(t.In)
		_, j := n.Channel(t.Out)
		if n.VCs() == 1 {
			p.Printf("%s    [%d, %d]", separator, n.Head(a), n.HeadPort(a))
		} else {
			p.Printf("%s    [%d, %d, %d, %d]", separator, n.Head(a), n.HeadPort(a), i, j)
		}
		separator = ",\n"
	}
	if separator == ",\n" {
		p.Printf("\n  ]")
	}
	p.Printf("\n}\n")
	return p.Flush()
}

// turnsAt yields the turns at switch u without U-turns, sorted by input port, input VC, output
// port and output VC.
func turnsAt(n *model.Network, u model.SwitchID) func(func(model.Turn) bool) {
	return func(yield func(model.Turn) bool) {
		for _, back := range n.Out(u) {
			for i := range n.VCs() {
				for _, out := range n.Out(u) {
					for j := range n.VCs() {
						if n.Kind(back) != model.SwitchToSwitch || n.Kind(out) != model.SwitchToSwitch || back == out {
							continue
						}
						if !yield(model.Turn{In: n.VC(n.Reverse(back), i), Out: n.VC(out, j)}) {
							return
						}
					}
				}
			}
		}
	}
}

func readTurnSet(src *textfile.File, n *model.Network) (*model.TurnSet, TurnSetInfo, error) {
	fail := func(err error) (*model.TurnSet, TurnSetInfo, error) {
		return nil, TurnSetInfo{}, src.FileError("%s", err)
	}
	var f turnSetFile
	if err := textfile.Decode(src, &f, "turn set"); err != nil {
		return nil, TurnSetInfo{}, err
	}
	if err := f.fits(n); err != nil {
		return fail(err)
	}
	set, err := f.allowed(n)
	if err != nil {
		return fail(err)
	}
	return set, TurnSetInfo{f.Method, f.Root}, nil
}

// fits returns an error if the file is not for network n.
func (f *turnSetFile) fits(n *model.Network) error {
	switch {
	case f.Schema != turnSetSchema:
		return fmt.Errorf("schema %q, %q was expected", f.Schema, turnSetSchema)
	case f.Prohibited == nil:
		return errors.New("the list of prohibited turns is missing")
	case f.Switches != n.NumSwitches() || f.Links != n.NumLinks():
		return fmt.Errorf("the turn set is of a network with %d switches and %d links, this one has %d and %d",
			f.Switches, f.Links, n.NumSwitches(), n.NumLinks())
	case f.VCs != n.VCs() && f.VCs != 1:
		return fmt.Errorf("the turn set is of %d VCs per channel, the network has %d", f.VCs, n.VCs())
	case f.Wiring != Wiring(n):
		return errors.New("the turn set is of a network that is wired in another way: its links have another SHA-256")
	case f.Root != nil && (*f.Root < 0 || int(*f.Root) >= n.NumSwitches()):
		return fmt.Errorf("no switch %d for the root, switches are 0 to %d", *f.Root, n.NumSwitches()-1)
	}
	return nil
}

// allowed returns all turns except the prohibited ones. Rows of a file with one VC apply to all
// VCs of the network.
func (f *turnSetFile) allowed(n *model.Network) (*model.TurnSet, error) {
	set := model.NewTurnSet(n)
	for t := range model.Turns(n, false) {
		set.Add(t)
	}
	for i, row := range f.Prohibited.all() {
		list, err := f.turns(n, row)
		if err != nil {
			return nil, fmt.Errorf("prohibited turn number %d: %w", i+1, err)
		}
		for _, t := range list {
			set.Remove(t)
		}
	}
	for i, row := range f.UTurns.all() {
		t, err := f.uTurn(n, row)
		if err != nil {
			return nil, fmt.Errorf("turn back number %d: %w", i+1, err)
		}
		if set.Has(t) {
			return nil, fmt.Errorf("turn back number %d: %v comes twice", i+1, row)
		}
		set.Add(t)
	}
	return set, nil
}

// uTurn returns the U-turn of a row.
func (f *turnSetFile) uTurn(n *model.Network, row []int) (t model.Turn, err error) {
	want := 2
	if f.VCs > 1 {
		want = 4
	}
	if len(row) != want || f.VCs != n.VCs() {
		return t, fmt.Errorf("%v has %d numbers of a network with %d VCs, %d were expected, of one with %d", row, len(row), n.VCs(), want, f.VCs)
	}
	if row[0] < 0 || row[0] >= n.NumSwitches() {
		return t, fmt.Errorf("no switch %d, switches are 0 to %d", row[0], n.NumSwitches()-1)
	}
	out, err := linkAt(n, row[0], row[1])
	if err != nil {
		return t, err
	}
	in, i, j := n.Reverse(out), 0, 0
	if want == 4 {
		if i, j = row[2], row[3]; min(i, j) < 0 || max(i, j) >= n.VCs() {
			return t, fmt.Errorf("%v: VCs are 0 to %d", row, n.VCs()-1)
		}
	}
	return model.Turn{In: n.VC(in, i), Out: n.VC(out, j)}, nil
}

// turnRows are rows of equal length in one flat list, since there can be millions.
type turnRows struct {
	width int
	flat  []int
}

// mostNumbers is the largest number of values of a row.
const mostNumbers = 5

// UnmarshalJSONFrom reads rows. Rows of 3 or 5 numbers, which are turns, must ascend. So a file
// cannot have more rows than there are turns.
func (r *turnRows) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if k := dec.PeekKind(); k != '[' {
		return json.UnmarshalDecode(dec, new([][]int)) // returns an error that names the kind of the value
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	*r = turnRows{}
	var last []int
	for i := 1; dec.PeekKind() == '['; i++ {
		row, err := readRow(dec)
		switch {
		case err != nil:
			return err
		case len(row) > mostNumbers:
			return fmt.Errorf("row %d has more than %d numbers, %d were expected", i, mostNumbers, cmp.Or(r.width, 3))
		case len(row) == 0 || len(row) != cmp.Or(r.width, len(row)):
			return fmt.Errorf("row %d has %d numbers, %d were expected", i, len(row), cmp.Or(r.width, 3))
		case last != nil && (slices.Equal(last, row) || len(row)%2 == 1 && slices.Compare(last, row) > 0):
			return fmt.Errorf("row %d: %v does not come after %v", i, row, last)
		}
		last, r.width, r.flat = row, len(row), append(r.flat, row...)
	}
	_, err := dec.ReadToken()
	return err
}

// readRow reads a row. It stops after mostNumbers+1 numbers.
func readRow(dec *jsontext.Decoder) ([]int, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	row := make([]int, 0, mostNumbers+1)
	for dec.PeekKind() != ']' && len(row) <= mostNumbers {
		row = append(row, 0)
		if err := json.UnmarshalDecode(dec, &row[len(row)-1]); err != nil {
			return nil, err
		}
	}
	if len(row) > mostNumbers {
		return row, nil
	}
	_, err := dec.ReadToken()
	return row, err
}

// all yields the rows with their indices.
func (r *turnRows) all() iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		for i := 0; i < len(r.flat); i += r.width {
			if !yield(i/r.width, r.flat[i:i+r.width]) {
				return
			}
		}
	}
}

// turns returns the turns of a row.
func (f *turnSetFile) turns(n *model.Network, row []int) (list []model.Turn, err error) {
	want := 3
	if f.VCs > 1 {
		want = 5
	}
	if len(row) != want {
		return nil, fmt.Errorf("%v has %d numbers, %d were expected", row, len(row), want)
	}
	if row[0] < 0 || row[0] >= n.NumSwitches() {
		return nil, fmt.Errorf("no switch %d, switches are 0 to %d", row[0], n.NumSwitches()-1)
	}
	in, out := row[1], row[want/2+1]
	a, err := linkAt(n, row[0], in)
	if err != nil {
		return nil, err
	}
	b, err := linkAt(n, row[0], out)
	if err != nil {
		return nil, err
	}
	if a == b {
		return nil, fmt.Errorf("%v is a U-turn", row)
	}
	for i := range n.VCs() {
		for j := range n.VCs() {
			if want == 3 || i == row[2] && j == row[4] {
				list = append(list, model.Turn{In: n.VC(n.Reverse(a), i), Out: n.VC(b, j)})
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%v: VCs are 0 to %d", row, n.VCs()-1)
	}
	return list, nil
}

// linkAt returns the channel out of a switch at a port. It fails if the port has no link.
func linkAt(n *model.Network, u, port int) (model.ChannelID, error) {
	if port < 0 || port > model.MaxPort {
		return 0, fmt.Errorf("port %d, ports are 0 to %d", port, model.MaxPort)
	}
	c := n.OutAt(model.SwitchID(u), model.Port(port))
	if c == model.NoChannel || n.Kind(c) != model.SwitchToSwitch {
		return 0, fmt.Errorf("no link at port %d of switch %s", port, n.SwitchName(model.SwitchID(u)))
	}
	return c, nil
}

func init() {
	format.RegisterRouting(format.RoutingFormat{Rank: 10, Is: func(head []byte) bool { return textfile.HasSchema(head, turnSetSchema) },
		Read: func(src *textfile.File, n *model.Network, _ format.Options) (r format.Routing, _ []string, err error) {
			r.Turns, _, err = readTurnSet(src, n)
			return r, nil, err
		}})
}
