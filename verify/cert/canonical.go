package cert

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
)

// This file gives the canonical bytes of a certificate.
//
// The form: what encoding/json makes of the Certificate, indented by one
// space, an empty list that is not optional as [], and a newline at the end.
// It is spelt out here, field by field, since encoding/json would look at each
// byte of a large table four times.

// encode gives the canonical file, with the right digest in it.
func encode(c *Certificate) []byte {
	p := new(printer)
	p.open('{')
	p.key("schema").text(c.Schema)
	p.key("subject").subject(&c.Subject)
	p.key("claims").list(len(c.Claims), func(i int) { p.claim(&c.Claims[i]) })
	sum := sha256.Sum256(p.out)
	p.key("digest").text(hex.EncodeToString(sum[:]))
	p.close('}')
	return append(p.out, '\n')
}

func (p *printer) subject(s *Subject) {
	p.open('{')
	p.key("switching").text(s.Switching)
	if s.Waiting != "" {
		p.key("waiting").text(s.Waiting)
	}
	p.key("network").network(&s.Network)
	if s.Table != nil {
		p.key("table").table(s.Table)
	}
	if s.Relation != nil {
		p.key("relation").relation(s.Relation)
	}
	if s.Turns != nil {
		p.key("turns").turns(s.Turns)
	}
	if s.Product != nil {
		p.key("product").product(s.Product)
	}
	if s.Family != nil {
		p.key("family").family(s.Family)
	}
	if g := s.Gates; g != nil {
		p.key("gates").gates(g)
	}
	if m := s.Multicast; m != nil {
		p.key("multicast").multicast(m)
	}
	p.key("inputs").list(len(s.Inputs), func(i int) {
		p.open('{')
		p.key("name").text(s.Inputs[i].Name)
		p.key("sha256").text(s.Inputs[i].SHA256)
		p.close('}')
	})
	if len(s.Premises) > 0 {
		p.key("premises").list(len(s.Premises), func(i int) {
			p.open('{')
			p.key("name").text(s.Premises[i].Name)
			p.key("value").text(s.Premises[i].Value)
			p.key("source").text(s.Premises[i].Source)
			p.close('}')
		})
	}
	p.close('}')
}

func (p *printer) multicast(m *Multicast) {
	p.open('{')
	p.key("groups").list(len(m.Groups), func(i int) {
		p.open('{')
		p.key("mlid").number(int64(m.Groups[i].MLID))
		p.key("class").number(int64(m.Groups[i].Class))
		p.key("entries").packed(m.Groups[i].Entries)
		p.close('}')
	})
	p.close('}')
}

func (p *printer) gates(g *Gates) {
	p.open('{')
	p.key("packet").number(int64(g.Packet))
	p.key("buffer").number(int64(g.Buffer))
	p.key("level").number(int64(g.Level))
	p.key("reserved").boolean(g.Reserved)
	p.key("by_flit").boolean(g.ByFlit)
	p.key("vcs").text(g.VCs)
	p.key("turns").boolean(g.Turns)
	p.key("injection").boolean(g.Injection)
	p.key("weights").list(len(g.Weights), func(i int) { p.number(g.Weights[i]) })
	p.key("most").number(g.Most)
	p.key("axis").packed(g.Axis)
	p.key("ahead").packed(g.Ahead)
	p.key("exempt").packed(g.Exempt)
	p.close('}')
}

func (p *printer) network(w *Network) {
	p.open('{')
	p.key("vcs").number(int64(w.VCs))
	p.key("switches").list(len(w.Switches), func(i int) { p.text(w.Switches[i]) })
	p.key("links").packed(w.Links)
	p.key("endpoints").list(len(w.Endpoints), func(i int) { p.text(w.Endpoints[i]) })
	p.key("attach").packed(w.Attach)
	p.key("hosts").number(int64(w.Hosts))
	p.close('}')
}

func (p *printer) table(t *Table) {
	p.open('{')
	p.key("sources").number(int64(t.Sources))
	p.key("destinations").packed(t.Destinations)
	p.key("lids").packed(t.LIDs)
	p.key("ports").packed(t.Ports)
	p.optional("classes", t.Classes)
	p.optional("vc_rows", t.VCRows)
	p.optional("vc_row_of", t.VCRowOf)
	if t.Management != "" {
		p.key("management").text(t.Management)
	}
	p.close('}')
}

func (p *printer) relation(r *Relation) {
	p.open('{')
	p.key("classes").number(int64(r.Classes))
	p.key("sources").number(int64(r.Sources))
	p.key("destinations").packed(r.Destinations)
	p.key("inject").packed(r.Inject)
	p.key("states").packed(r.States)
	p.optional("commits", r.Commits)
	p.close('}')
}

func (p *printer) turns(t *Turns) {
	p.open('{')
	p.key("next").packed(t.Next)
	p.optional("closed", t.Closed)
	p.close('}')
}

func (p *printer) product(w *Product) {
	p.open('{')
	p.key("hosts").number(int64(w.Hosts))
	p.key("lines").list(len(w.Lines), func(i int) {
		l := &w.Lines[i]
		p.open('{')
		p.key("network").network(&l.Network)
		p.key("relation").relation(&l.Relation)
		p.key("claims").list(len(l.Claims), func(j int) { p.claim(&l.Claims[j]) })
		p.close('}')
	})
	p.close('}')
}

func (p *printer) claim(c *Claim) {
	p.open('{')
	p.key("claim").text(c.Claim)
	p.key("verdict").text(c.Verdict)
	p.key("evidence").text(c.Evidence)
	p.optional("ranks", c.Ranks)
	if len(c.Packets) > 0 {
		p.key("packets").list(len(c.Packets), func(i int) { p.packet(&c.Packets[i]) })
	}
	p.optionalNumber("pairs", c.Pairs)
	p.optionalNumber("unreachable", c.Unreachable)
	if c.End != "" {
		p.key("end").text(c.End)
	}
	p.optionalNumber("hops", c.Hops)
	p.optional("escape", c.Escape)
	p.optional("holds", c.Holds)
	p.optional("cycle", c.Cycle)
	p.optional("tree", c.Tree)
	p.optional("multipliers", c.Multipliers)
	if c.Member != nil {
		p.key("member").member(c.Member)
	}
	p.optionalNumber("bound", c.Bound)
	if c.Packing != nil {
		p.key("packing").open('{')
		p.key("denominator").number(int64(c.Packing.Denominator))
		p.key("weights").packed(c.Packing.Weights)
		p.key("cycles").packed(c.Packing.Cycles)
		p.close('}')
	}
	p.optional("steps", c.Steps)
	p.optional("clear", c.Clear)
	p.optional("flits", c.Flits)
	p.optional("messages", c.Messages)
	p.optional("chosen", c.Chosen)
	p.close('}')
}

func (p *printer) family(f *Family) {
	p.open('{')
	p.key("kind").text(f.Kind)
	p.key("dims").number(int64(f.Dims))
	p.key("vcs").number(int64(f.VCs))
	p.key("rule").text(f.Rule)
	p.key("tree").text(f.Tree)
	p.key("u_turns").boolean(f.UTurns)
	if f.Given != nil {
		p.key("given").open('{')
		p.key("coordinates").number(int64(f.Given.Coordinates))
		p.key("directions").list(len(f.Given.Directions), func(i int) {
			p.open('{')
			p.key("name").text(f.Given.Directions[i].Name)
			p.key("rows").packed(f.Given.Directions[i].Rows)
			p.close('}')
		})
		p.close('}')
	}
	p.key("allowed").list(len(f.Allowed), func(i int) { p.text(f.Allowed[i]) })
	p.close('}')
}

func (p *printer) member(m *Member) {
	p.open('{')
	p.key("sides").packed(m.Sides)
	p.key("links").packed(m.Links)
	p.key("at").packed(m.At)
	p.key("from").number(int64(m.From))
	p.key("to").number(int64(m.To))
	p.key("cycle").packed(m.Cycle)
	p.close('}')
}

func (p *printer) packet(q *Packet) {
	p.open('{')
	p.key("source").number(int64(q.Source))
	p.key("destination").number(int64(q.Destination))
	p.key("class").number(int64(q.Class))
	p.key("path").list(len(q.Path), func(i int) { p.number(int64(q.Path[i])) })
	if q.Group != nil {
		p.key("group").number(int64(*q.Group))
	}
	p.close('}')
}

// A printer writes indented JSON.
type printer struct {
	out   []byte
	depth int
	empty bool // nothing is in the innermost object or list yet
}

func (p *printer) open(bracket byte) {
	p.out = append(p.out, bracket)
	p.depth++
	p.empty = true
}

func (p *printer) close(bracket byte) {
	p.depth--
	if !p.empty {
		p.line()
	}
	p.out = append(p.out, bracket)
	p.empty = false
}

// line begins a line, indented.
func (p *printer) line() {
	p.out = append(p.out, '\n')
	for range p.depth {
		p.out = append(p.out, ' ')
	}
}

// item begins an entry of an object or a list.
func (p *printer) item() {
	if !p.empty {
		p.out = append(p.out, ',')
	}
	p.line()
	p.empty = false
}

func (p *printer) key(name string) *printer {
	p.item()
	p.out = append(p.out, '"')
	p.out = append(p.out, name...)
	p.out = append(p.out, `": `...)
	return p
}

func (p *printer) list(n int, entry func(i int)) {
	p.open('[')
	for i := range n {
		p.item()
		entry(i)
	}
	p.close(']')
}

func (p *printer) text(s string) {
	quoted, _ := json.Marshal(s) // a string always can be
	p.out = append(p.out, quoted...)
}

func (p *printer) boolean(b bool) { p.out = strconv.AppendBool(p.out, b) }

func (p *printer) number(i int64) { p.out = strconv.AppendInt(p.out, i, 10) }

func (p *printer) packed(x Ints) {
	quoted, _ := x.MarshalJSON() // gives no error
	p.out = append(p.out, quoted...)
}

func (p *printer) optional(name string, x *Ints) {
	if x != nil {
		p.key(name).packed(*x)
	}
}

func (p *printer) optionalNumber(name string, i *int64) {
	if i != nil {
		p.key(name).number(*i)
	}
}
