package draw

func drawingNames() (names []string) {
	for _, d := range drawings {
		names = append(names, d.name)
	}
	return names
}
