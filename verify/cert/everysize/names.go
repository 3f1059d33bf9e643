package everysize

// This file has the names of the functions that programs can use.

// functions are the names of the builtin functions.
var functions = []string{
	"abs", "all", "any", "bool", "enumerate", "fail", "len", "list", "max", "min", "range", "reversed", "tuple", "zip",
	"ahead", "crosses_dateline", "delta", "deroutes", "distance", "minus", "others", "plus", "productive", "ring", "side", "to", "towards", "works", "wraps",
}

// letters are the names of the first directions.
const letters = "EWNSUD"

// netFunctions are the names of these functions, with the number of their arguments.
var netFunctions = map[string]int{
	"ports": 1, "neighbours": 1, "switches": 0, "has": 2, "distance": 2, "productive": 2,
	"depth": 1, "spread": 1, "parents": 1, "children": 1, "below": 2,
}

// reserved are the names that no size has.
var reserved = func() map[string]bool {
	names := map[string]bool{"None": true, "True": true, "False": true, "EJECT": true}
	for _, name := range functions {
		names[name] = true
	}
	for _, c := range letters {
		names[string(c)] = true
	}
	return names
}()
