// Package verdict prints a verify.Report as text and as the JSON object of docs/schema/check.json,
// and simulates refuted routings. It holds what check, prove, replay, report, turns and vlan share.
package verdict
