package wording

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
)

// premisesAlways hold for every verdict. The second one does not if a premise says what else happens to packets without a next hop.
var premisesAlways = [2]string{"always: hosts consume packets that arrive", "; packets without a permitted next hop are dropped"}

// premisesInOrder returns the premises, the assumed ones first.
func premisesInOrder(list []model.Premise) []model.Premise {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b model.Premise) int {
		switch {
		case a.IsAssumed() == b.IsAssumed():
			return 0
		case a.IsAssumed():
			return -1
		}
		return 1
	})
	return list
}

// PremiseLines writes each premise as "NAME: VALUE (SOURCE)".
func PremiseLines(list []model.Premise) (lines []string) {
	for _, p := range premisesInOrder(list) {
		lines = append(lines, plain.Text(fmt.Sprintf("%s: %s (%s)", p.Name, p.Value, p.Source)))
	}
	always := premisesAlways[0]
	if !slices.ContainsFunc(list, func(p model.Premise) bool { return p.Name == model.PremiseNoHop }) {
		always += premisesAlways[1]
	}
	return append(lines, always)
}
