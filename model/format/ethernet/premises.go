package ethernet

import "github.com/turnproof/turnproof/model"

// The names of premises.
const (
	premiseDumps   = "dumps"
	premiseOutside = "outside"
	premisePFC     = "lossless priorities"

	premiseRerouting = "rerouting"
)

func init() { model.RegisterPremises(premiseDumps, premiseOutside, premisePFC, premiseRerouting) }
