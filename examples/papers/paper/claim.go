package paper

// Claim is a statement of a paper that an item's result decides.
type Claim struct {
	Name      string // PAPER/ and words, unique among claims and items, for example "turn-model/updown-row-of-table-3"
	Section   string // where the paper makes the statement; defaults to the section of the item
	Statement string // the statement in our words, one sentence without a full stop
	Published string // the paper's number or word, short, for example "4.77 times"
	// Evidence says what a claim that holds rests on. Defaults to Item.Evidence.
	Evidence Evidence
	// Reason explains a verdict other than holds, in a sentence or two. It is "" for claims that hold.
	Reason string
	// LeftOpen says what decides the claim and is left open by the paper. Then a result that contradicts the claim does not
	// refute it: the claim is open, for this reason.
	LeftOpen string
	// Settled says what in the paper decides for the first reading of Item.Beside. Then readings that differ do not open the claim.
	Settled string
	// Fitted says what was fitted to the paper's numbers, so that they are possible rather than reproduced.
	Fitted string
	// Judge decides the claim from the rows of the item's default reading. It must not simulate.
	Judge func(r *Result) Finding
}

// decide returns the finding of a claim. If the item's readings are judged side by side, the claim has their verdict if they
// agree. If they differ, it is open, or has the verdict of the first reading if the paper decides for this one.
func (c *Claim) decide(r *Result) Finding {
	f := c.Judge(r)
	if len(r.beside()) > 1 && !f.lacks {
		f = c.judgeBeside(r, f)
	}
	if f.Verdict == Fails && c.LeftOpen != "" {
		f.Verdict = Open
	}
	return f
}

// Why returns the reason of a finding, or "" if the claim holds under all readings.
func (c *Claim) Why(f Finding) string {
	switch {
	case f.differ && c.Settled != "":
		return c.Settled
	case f.Verdict == Holds:
		return ""
	case f.Verdict == Open && f.lacks:
		return "This run has not computed what the claim needs"
	case f.Verdict == Open && c.LeftOpen != "":
		return c.LeftOpen
	case f.differ:
		return readingsDiffer
	}
	return c.Reason
}

// Evidence is the kind of what a claim rests on.
type Evidence string

// Kinds of evidence.
const (
	Proof  Evidence = "proof"  // for every size or network that the claim is about
	Check  Evidence = "check"  // all cases on the networks that are named
	Sample Evidence = "sample" // simulations or random networks
)

// Verdict is the outcome of a claim.
type Verdict string

// Verdicts of claims.
const (
	Holds Verdict = "holds"
	Fails Verdict = "fails"
	Open  Verdict = "open" // not decided; Claim.Why says why
)

// Finding is the outcome of a claim with our number.
type Finding struct {
	Verdict Verdict `json:"verdict"`
	Ours    string  `json:"ours"` // our number or word, short, in the form of Claim.Published
	Under   []Under // the outcome under each reading that is judged side by side, if there are several
	lacks   bool    // the result lacks a row that the claim needs
	differ  bool    // the verdicts under the readings differ
}

// Decide returns Holds with our number if ok, and else Fails.
func Decide(ok bool, ours string) Finding {
	if ok {
		return Finding{Verdict: Holds, Ours: ours}
	}
	return Finding{Verdict: Fails, Ours: ours}
}

// Both joins two findings: it holds if both hold, and lacks what one lacks.
func Both(a, b Finding, ours string) Finding {
	if a.lacks || b.lacks {
		return Lacking()
	}
	return Decide(a.Verdict == Holds && b.Verdict == Holds, ours)
}

// Lacking is the finding if the result lacks a row that the claim needs, for example in a quick run.
func Lacking() Finding { return Finding{Verdict: Open, Ours: "not computed in this run", lacks: true} }

// Needs returns a Judge that looks up values of the default reading, each by item and quantity, and
// passes them to decide in the same order. If a row is missing, the claim is open.
func Needs(keys [][2]string, decide func(v []float64) Finding) func(r *Result) Finding {
	return func(r *Result) Finding {
		values := make([]float64, len(keys))
		for i, k := range keys {
			x := r.Row(k[0], k[1])
			if x == nil {
				return Lacking()
			}
			values[i] = x.Ours
		}
		return decide(values)
	}
}
