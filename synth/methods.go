package synth

import "slices"

// The table is filled here, since minimum runs the other methods.
func init() {
	methods = []Method{
		{"updown", "no channel up after one down",
			"Schroeder et al., IEEE JSAC, 1991; depth first: Sancho, Robles and Duato, CANPC, 2000", true, upDownOptions, false, upDown},
		{"lturn-alpha", "left-up first, left-down last where a cycle asks for it", jouraku, true, turnModelOptions, false, turnModel},
		{"lturn-beta", "left-up first, right-up last where a cycle asks for it", jouraku, true, turnModelOptions, false, turnModel},
		{"rturn-alpha", "right-down last, right-up first where a cycle asks for it", jouraku, true, turnModelOptions, false, turnModel},
		{"rturn-beta", "right-down last, left-down first where a cycle asks for it", jouraku, true, turnModelOptions, false, turnModel},
		{"tp", "turn prohibition: all turns at one switch after another, which is then taken out",
			"Starobinski, Karpovsky and Zakrevski, IEEE/ACM ToN, 2003; Nakashima et al., IPSJ Trans. ACS, 2011, section 2.3.2",
			false, prohibitionOptions, false, turnProhibition},
		{"turn-addition", "one turn after another, heaviest traffic first, where it closes no cycle",
			"Nakashima, Naruse, Sumimoto and Kumon, IPSJ Trans. ACS 4(4), 2011", false, additionOptions, false, turnAddition},
		{"minimum", "as few turns as can be found, with a bound below which there is no set",
			"annealing (Kirkpatrick et al., Science 220, 1983) against a packing of cycles (Baharev et al., ACM JEA 26, 2021)",
			false, minimumOptions, true, fewestTurns},
	}
	for i := range methods {
		methods[i].Options = slices.Concat(methods[i].Options, releaseOptions, []Option{seedOption})
	}
}

const jouraku = "Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003"
