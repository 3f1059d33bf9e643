package cert

// Names that the external tests use.
const MaxBytes = maxBytes

var (
	Encode     = encode
	Enterable  = enterable
	Difference = difference
)

// Arrives calls the method of the table or relation.
func Arrives(r *Routing, d int, at State) bool { return r.arrives(d, at) }
