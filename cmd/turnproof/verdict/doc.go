// Package verdict prints a verify.Report as text and as the JSON object of docs/schema/check.json.
// It also prints the results of simulations of refuted routings. The commands check, prove,
// replay, report, turns and vlan use it.
//
// Read first: text.go, json.go, replay.go.
package verdict
