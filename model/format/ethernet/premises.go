package ethernet

import "github.com/turnproof/turnproof/model"

// The names of premises.
const (
	premiseDumps   = "dumps"
	premiseOutside = "outside"
	premisePFC     = "lossless priorities"
)

func init() { model.RegisterPremises(premiseDumps, premiseOutside, premisePFC) }
