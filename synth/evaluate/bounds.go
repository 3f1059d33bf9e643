package evaluate

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/minimum"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

func init() { minimum.RegisterChecker(checkBound) }

// checkTurns is replaced by tests.
var checkTurns = verify.CheckTurns

// checkBound gives a bound from a journal to the independent checker.
func checkBound(n *model.Network, c minimum.Claimed) (reason string, err error) {
	o := verify.TurnOptions{Packing: Packing(c.Packing), Steps: c.Steps, Least: c.Least, Both: c.Both}
	_, err = checkTurns(context.Background(), model.NewTurnSet(n), o)
	if rejected := (*cert.Rejection)(nil); errors.As(err, &rejected) && rejected.Claim == cert.ClaimLowerBound {
		return rejected.Reason, nil
	}
	return "", err
}

// Packing returns a packing of cycles in the format of certificates.
func Packing(p *minimum.Packing) *cert.Packing {
	w := &cert.Packing{Denominator: int(p.Denominator), Weights: p.Weights, Cycles: cert.Ints{}}
	for _, cycle := range p.Cycles {
		w.Cycles = append(append(w.Cycles, int32(len(cycle))), cycle...)
	}
	return w
}
