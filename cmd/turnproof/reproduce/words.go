package reproduce

func reproductionNames() (names []string) {
	for _, p := range reproductions() {
		names = append(names, p.name)
	}
	return names
}
