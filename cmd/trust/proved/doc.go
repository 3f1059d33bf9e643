// Package proved holds the checker that Coq has proved (verify/proved) against the one in Go
// (verify/cert), on certificates as they are written and on mutated ones.
//
// Where the proved checker judges, both must say the same; where it says that it does not
// judge, the other must not have been contradicted. A certificate on which they
// differ is shrunk and kept in testdata.
package proved
