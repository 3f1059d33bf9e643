package say

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// PrintPremises lists the premises.
func PrintPremises(w io.Writer, list []model.Premise) {
	fmt.Fprintf(w, "\nPremises:\n")
	for _, line := range wording.PremiseLines(list) {
		fmt.Fprintf(w, "  %s\n", line)
	}
}
