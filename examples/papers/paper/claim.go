package paper

// Claim is a statement of a paper that an item's result decides.
type Claim struct {
	Name      string // PAPER/ and words, unique among claims and items, for example "turn-model/updown-row-of-table-3"
	Section   string // where the paper makes the statement; defaults to the section of the item
	Statement string // the statement in our words, one sentence without a full stop
	Published string // the paper's number or word, short, for example "4.77 times"
	// Reason explains a verdict other than holds, in a sentence or two. It is "" for claims that hold.
	Reason string
	// Judge decides the claim from the rows of the item's default reading. It must not simulate.
	Judge func(r *Result) Finding
}

// Verdict is the outcome of a claim.
type Verdict string

// Verdicts of claims.
const (
	Holds Verdict = "holds"
	Fails Verdict = "fails"
	Open  Verdict = "open" // not decided; the claim's Reason says why
)

// Finding is the outcome of a claim with our number.
type Finding struct {
	Verdict Verdict `json:"verdict"`
	Ours    string  `json:"ours"` // our number or word, short, in the form of Claim.Published
}

// Decide returns Holds with our number if ok, and else Fails.
func Decide(ok bool, ours string) Finding {
	if ok {
		return Finding{Holds, ours}
	}
	return Finding{Fails, ours}
}

// Lacking is the finding if the result lacks a row that the claim needs, for example in a quick run.
func Lacking() Finding { return Finding{Open, "not computed in this run"} }

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
