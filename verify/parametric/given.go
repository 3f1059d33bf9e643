package parametric

// GivenRank is what became of the rank that a program gives itself.
type GivenRank struct{}

func (p *prover) judgeGiven() error { return nil }
