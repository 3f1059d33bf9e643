package say

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/wording"
)

// PrintPremises lists the premises.
func PrintPremises(w io.Writer, list []model.Premise) {
	fmt.Fprintf(w, "\nPremises:\n")
	for _, line := range wording.PremiseLines(list) {
		fmt.Fprintf(w, "  %s\n", line)
	}
}
