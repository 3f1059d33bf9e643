package everysize

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file says a theorem in words.

func networkText(s *cert.Subject) string {
	f, err := parsed(s.Program)
	if err != nil {
		return "a program that cannot be read"
	}
	return f.networks() + faultsText(s.Program.Faults) + fmt.Sprintf(", %d VCs per channel, %.20s switching", f.vcs, s.Switching)
}

// networks names the networks of a family.
func (f *family) networks() string {
	if f.kind == "network" {
		return f.everyNetwork()
	}
	var sides []string
	for _, s := range f.sides {
		if s.size < 0 {
			sides = append(sides, fmt.Sprint(s.length))
		} else {
			sides = append(sides, f.names[s.size])
		}
	}
	if f.wrap != nil {
		letters := ""
		for _, d := range slices.Sorted(slices.Values(f.wrap)) {
			letters += "xyz3456789"[d : d+1]
		}
		sides = append(sides, fmt.Sprintf("wrap = %q", letters))
	}
	if f.interval != 0 {
		sides = append(sides, fmt.Sprintf("interval = %d", f.interval))
	}
	name := f.kind + "(" + strings.Join(sides, ", ") + ")"
	switch {
	case f.every && f.kind == "hypercube":
		return "every hypercube"
	case f.every:
		return fmt.Sprintf("every %s(*%s), of any number of dimensions, with each side %s", f.kind, f.anyDims,
			strings.TrimPrefix(f.conditions(), f.names[0]+" "))
	case f.kind == "hypercube":
		return fmt.Sprintf("the hypercube of %d dimensions", f.dims)
	case len(f.names) == 0:
		return "the network " + name
	}
	return fmt.Sprintf("every %s with %s", name, f.conditions())
}

// everyNetwork names the networks of the theorem.
func (f *family) everyNetwork() string {
	text := "every connected network"
	var parts []string
	if len(f.attributes) > 0 {
		word := "attribute "
		if len(f.attributes) > 1 {
			word = "attributes "
		}
		parts = append(parts, "with the integer "+word+strings.Join(slices.Sorted(maps.Keys(f.attributes)), ", ")+" of switches")
	}
	if len(f.tables) > 0 {
		parts = append(parts, "with the integer tables "+strings.Join(slices.Sorted(maps.Keys(f.tables)), ", ")+" of switches")
	}
	if f.spans {
		parts = append(parts, "with any breadth-first spanning tree and any preorder of it")
	}
	for _, s := range f.list {
		switch {
		case s.kind != "def":
		case s.name == "premise":
			parts = append(parts, fmt.Sprintf("on which premise(%s) is true for all switches", strings.Join(s.params, ", ")))
		case s.name == "endpoint":
			parts = append(parts, fmt.Sprintf("with hosts only where endpoint(%s) is true", strings.Join(s.params, ", ")))
		}
	}
	if len(parts) > 0 {
		text += " " + strings.Join(parts, ", ")
	}
	return text
}

func routingText(s *cert.Subject) string {
	return fmt.Sprintf("the program %.80q, SHA-256 %s; this checker runs its text itself", s.Program.Name, Sum(s.Program.Text))
}

// Theorem returns the theorem of an accepted certificate in one sentence.
func Theorem(c *cert.Certificate) string {
	f, err := parsed(c.Subject.Program)
	if err != nil {
		return ""
	}
	disciplines := "virtual cut-through and store-and-forward switching"
	e := c.Claim(cert.ClaimDeadlockFree)
	if e != nil && (e.Sizes != nil && coversWormhole(e.Sizes) || e.Networks != nil && len(e.Networks.Escape) == 0 && !e.Networks.Some) {
		disciplines = "virtual cut-through, store-and-forward and wormhole switching"
	}
	if e != nil && e.Networks != nil && len(e.Networks.Escape) > 0 && c.Subject.Switching == "wormhole" {
		disciplines += ", and under wormhole switching if a VC takes a new packet only when it is empty, or has room for all of it"
	}
	if f := c.Subject.Program.Flow; f != nil {
		disciplines = fmt.Sprintf("virtual cut-through switching, if all packets have %d flits, buffers have room for %d, and flow control is %s",
			f.Packet, f.Buffer, f.Kind)
	}
	var claims []string
	for i := range c.Claims {
		claims = append(claims, c.Claims[i].Claim)
	}
	words := strings.Join(claims[max(0, len(claims)-1):], "")
	if len(claims) > 1 {
		words = strings.Join(claims[:len(claims)-1], ", ") + " and " + words
	}
	networks := f.networks() + faultsText(c.Subject.Program.Faults)
	length := ""
	if e := evidenced(c); e != nil && e.Sizes.Length != nil {
		if m := f.created(e.Sizes); m != nil {
			length = "; " + f.lengthText(m)
		}
	}
	vcs := "1 VC"
	if f.vcs != 1 {
		vcs = fmt.Sprintf("%d VCs", f.vcs)
	}
	text := fmt.Sprintf("on %s, the routing %.80s with %s per channel is %s", networks, c.Subject.Program.Name, vcs, words)
	if e == nil { // the claims do not depend on switching
		return text + length
	}
	return text + ", under " + disciplines + length
}

// coversWormhole reports whether evidence is a proof for wormhole switching, in all cases.
func coversWormhole(e *cert.EverySize) bool {
	covered := []string{"none", "detour"}
	return slices.Contains(covered, e.Escape) && !slices.ContainsFunc(e.Cases, func(c cert.SizeCase) bool { return !slices.Contains(covered, c.Escape) })
}
