package everysize

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the claims of a certificate about a routing program for every size.

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "program", Title: "a routing program",
		Has:     func(s *cert.Subject) bool { return s.Program != nil },
		Open:    func(c *cert.Certificate) (any, error) { return open(c) },
		Network: networkText, Summary: routingText, Theorem: Theorem,
	}
}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() (list []cert.Kind) {
	for _, claim := range []string{cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree, cert.ClaimMinimal,
		cert.ClaimDeterministic, cert.ClaimFullyAdaptive} {
		k := cert.Kind{Subjects: []string{subjectKind().Name}, Claim: claim, Verdict: cert.Proved, Evidence: cert.EvidenceEverySize,
			Judge: cert.JudgeBy((*opened).judgeOther)}
		if claim == cert.ClaimDeadlockFree {
			k.Fields, k.Judge, k.Premises = []string{"sizes"}, cert.JudgeBy((*opened).judge), premises
		}
		list = append(list, k)
		if claim != cert.ClaimDeadlockFree {
			k.Evidence, k.Fields, k.Judge = cert.EvidenceEverySizePaths, []string{"sizes"}, cert.JudgeBy((*opened).judge)
			list = append(list, k)
		}
		if !slices.Contains(networkClaims, claim) {
			continue
		}
		k.Evidence, k.Fields, k.Premises, k.Judge = cert.EvidenceEveryNetwork, nil, nil, cert.JudgeBy((*opened).judgeOtherNet)
		if claim == cert.ClaimDeadlockFree {
			k.Fields, k.Judge = []string{"networks"}, cert.JudgeBy((*opened).judgeNet)
		}
		list = append(list, k)
		if claim != cert.ClaimDeadlockFree {
			k.Evidence, k.Fields, k.Judge = cert.EvidenceEveryNetworkPaths, []string{"networks"}, cert.JudgeBy((*opened).judgeNet)
			list = append(list, k)
		}
	}
	return list
}

// networkClaims are the claims of certificates about programs for any network.
var networkClaims = []string{cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree}

// premises returns what deadlock-free depends on besides the network: the sizes of flow control of rings.
func premises(s *cert.Subject) (list []string) {
	if s.Program == nil { // Check rejects it
		return nil
	}
	if text := flowText(s); text != "" {
		list = append(list, text)
	}
	return list
}

// opened is the subject of a certificate.
type opened struct {
	*family
	switching string
	flow      *cert.ProgramFlow
	faults    string
	claims    map[string]bool // the claims of the certificate
	cased     []*theorem      // that were proved, by case
	proved    bool            // the claim that has the evidence is judged, and holds
	others    map[string]bool // claims that its evidence proves as well; of programs for any network
}

func open(c *cert.Certificate) (*opened, error) {
	p := c.Subject.Program
	if p.Name == "" || !cert.IsPlain(p.Name) {
		return nil, cert.Reject("subject", "program %.80q: not a printable name", p.Name)
	}
	f, err := parsed(p)
	if err != nil {
		return nil, cert.Reject("subject", "%v", err)
	}
	sum := Sum(p.Text)
	for _, in := range c.Subject.Inputs {
		if in.SHA256 != sum {
			return nil, cert.Reject("subject", "input %.80q is not the program: its SHA-256 differs", in.Name)
		}
	}
	if err := checkFlow(p.Flow, c.Subject.Switching); err != nil {
		return nil, cert.Reject("subject", "flow: %v", err)
	}
	if p.Flow != nil && f.complete() { // the channels of a dimension and VC are no rings
		return nil, cert.Reject("subject", "flow control of rings in a HyperX network")
	}
	if _, err := f.cases(p.Faults); err != nil {
		return nil, cert.Reject("subject", "%v", err)
	}
	if f.hasAxes() && (p.Flow != nil || p.Faults != "") {
		return nil, cert.Reject("subject", "flow control of rings or failures on %s", f.kind)
	}
	if p.Faults != "" && (p.Flow != nil || f.complete()) {
		return nil, cert.Reject("subject", "failures with flow control of rings, or in a HyperX network")
	}
	if f.every {
		if p.Dims != 1 || p.Flow != nil || p.Faults != "" {
			return nil, cert.Reject("subject", "every number of dimensions: want evidence for one dimension, without flow control or failures")
		}
	}
	claims := map[string]bool{}
	for i := range c.Claims {
		claims[c.Claims[i].Claim] = true
	}
	distances := claims[cert.ClaimMinimal] || claims[cert.ClaimFullyAdaptive]
	if distances && (f.kind == brickWall || f.kind == express || p.Faults != "") {
		return nil, cert.Reject("subject", "minimal or fully-adaptive: on %s, or with failures", f.kind)
	}
	return &opened{family: f, switching: c.Subject.Switching, flow: p.Flow, faults: p.Faults, claims: claims}, nil
}

// Sum returns the SHA-256 of a program in lower case hex.
func Sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func parsed(p *cert.Program) (f *family, err error) {
	defer catch(&err)
	read, err := read(p.Text, p.Dims)
	if err != nil {
		return nil, fmt.Errorf("the program %.80s: %w", p.Name, err)
	}
	if read.kind == "network" {
		if p.Every {
			return nil, fmt.Errorf("the program %.80s has no dimensions", p.Name)
		}
		return &family{program: read, predeclared: declareNetwork()}, nil
	}
	f = newFamily(read)
	f.every = p.Every
	return f, nil
}

// catch turns an overflow into an error.
func catch(err *error) {
	if x := recover(); x != nil {
		if _, ok := x.(overflow); !ok {
			panic(x)
		}
		*err = fmt.Errorf("a number beyond 64 bits")
	}
}

// judge judges the claim that has the evidence of all claims: deadlock-free, or the first one if that is not claimed.
func (o *opened) judge(claim *cert.Claim) error {
	if o.proved {
		return cert.Reject(claim.Claim, "another claim has evidence already")
	}
	s := &stream{numbers: claim.Sizes.Proofs}
	if _, err := o.proveCases(claim.Sizes, &reader{s}); err != nil {
		return cert.Reject(claim.Claim, "%v", err)
	}
	if len(s.numbers) > 0 {
		return cert.Reject(claim.Claim, "%d numbers after the proofs", len(s.numbers))
	}
	if l := claim.Sizes.Length; l != nil {
		s := &stream{numbers: l.Proofs}
		if err := o.proveLength(l, &reader{s}); err != nil {
			return cert.Reject(claim.Claim, "%v", err)
		}
		if len(s.numbers) > 0 {
			return cert.Reject(claim.Claim, "%d numbers after the proofs about lengths", len(s.numbers))
		}
	}
	o.proved = true
	return nil
}

// judgeOther judges a claim that the evidence of deadlock-free proves as well.
func (o *opened) judgeOther(claim *cert.Claim) error {
	if !o.proved {
		return cert.Reject(claim.Claim, "the claim that has the evidence is missing")
	}
	return nil
}

// proveCases passes the obligations of all cases to a solver. It returns their number by kind.
func (o *opened) proveCases(e *cert.EverySize, solver Solver) (map[string]int, error) {
	list, err := o.cases(o.faults)
	if err != nil {
		return nil, err
	}
	if len(e.Cases) != len(list)-1 {
		return nil, fmt.Errorf("%d further cases; want %d", len(e.Cases), len(list)-1)
	}
	count := map[string]int{}
	for i, fails := range list {
		one := e
		if i > 0 {
			one = e.Cases[i-1].EverySize()
		}
		t, err := o.prove(one, o.in(fails), solver)
		if err != nil {
			if i > 0 {
				err = fmt.Errorf("case %d: %w", i+1, err)
			}
			return nil, err
		}
		for kind, k := range t.count {
			count[kind] += k
		}
		o.cased = append(o.cased, t)
	}
	return count, nil
}

// prove passes the obligations of one case to a solver.
func (o *opened) prove(e *cert.EverySize, f *family, solver Solver) (t *theorem, err error) {
	defer catch(&err)
	if o.kind == "network" {
		return nil, fmt.Errorf("evidence for sizes; the program is for any network")
	}
	t = &theorem{family: f, flow: o.flow, claims: o.claims, solver: solver}
	if err := t.read(e); err != nil {
		return nil, err
	}
	if t.ofPackets && (o.every || o.flow != nil || t.detour != nil) {
		return nil, fmt.Errorf("evidence about paths: for every number of dimensions, with flow control, or with a detour")
	}
	if t.ofPackets == o.claims[cert.ClaimDeadlockFree] {
		return nil, fmt.Errorf("evidence about paths is for certificates without the claim deadlock-free, and only for these")
	}
	if t.ofPackets && t.escape != noEscape && o.claims[cert.ClaimLivelockFree] {
		return nil, fmt.Errorf("livelock-free: an escape says nothing about other hops")
	}
	if o.every {
		if err := o.claimsForEvery(); err != nil {
			return nil, fmt.Errorf("every number of dimensions: %w", err)
		}
		if t.escape != noEscape && len(t.set) == 0 {
			return nil, fmt.Errorf("every number of dimensions: an escape that is no set of channels")
		}
		form, err := f.everyDimension(t.set)
		if err == nil && o.claims[cert.ClaimDeterministic] && form != InOrder {
			err = fmt.Errorf("deterministic in one dimension says nothing of several, unless the program corrects one after another")
		}
		if err != nil {
			return nil, fmt.Errorf("every number of dimensions: %w", err)
		}
	}
	if o.switching == "wormhole" && !t.ofPackets && t.escape != noEscape && t.detour == nil {
		return nil, fmt.Errorf("an escape without detours is no proof for wormhole switching")
	}
	return t, t.prove()
}

// claimsForEvery returns an error unless a proof of the claims in one dimension can hold for every number of dimensions.
func (o *opened) claimsForEvery() error {
	for _, claim := range networkClaims {
		if !o.claims[claim] {
			return fmt.Errorf("without the claim %s", claim)
		}
	}
	if o.claims[cert.ClaimFullyAdaptive] {
		return fmt.Errorf("fully-adaptive in one dimension says nothing of several")
	}
	return nil
}

// reader answers obligations by the proofs of a certificate.
type reader struct{ *stream }

// Refute implements Solver.
func (r *reader) Refute(o *Obligation) error { return r.refute(o.Formula, o.Variables) }

// Possible implements Solver. The number is 1 for an alternative that is kept. Otherwise it is 0, and a proof follows.
func (r *reader) Possible(o *Obligation) (possible bool, err error) {
	if len(r.numbers) == 0 {
		return false, fmt.Errorf("the proofs end early")
	}
	switch kept := r.next(); kept {
	case 0:
		return false, r.refute(o.Formula, o.Variables)
	case 1:
		return true, nil
	default:
		return false, fmt.Errorf("%d where an alternative of the program is kept or refuted", kept)
	}
}

// evidenced returns the claim that has evidence for every size, or nil.
func evidenced(c *cert.Certificate) *cert.Claim {
	for i := range c.Claims {
		if c.Claims[i].Sizes != nil {
			return &c.Claims[i]
		}
	}
	return nil
}

// Prove passes the obligations of c to a solver, in order. It fails if the solver does, or if c is
// no certificate of a routing program. The field Proofs is not used. It returns the number of obligations by kind.
func Prove(c *cert.Certificate, solver Solver) (map[string]int, error) {
	claim := evidenced(c)
	if c.Subject.Program == nil || claim == nil {
		return nil, fmt.Errorf("not a certificate of a routing program")
	}
	o, err := open(c)
	if err != nil {
		return nil, err
	}
	return o.proveCases(claim.Sizes, solver)
}

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
	words := claims[len(claims)-1]
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
