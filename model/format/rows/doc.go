// Package rows reads tables with named columns: CSV with a header, and JSON as a list of objects or as turnproof table writes it. It gives
// the columns no meaning; packages routes, lists and graph do.
package rows
