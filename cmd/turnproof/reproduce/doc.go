// Package reproduce is the command reproduce: a table or figure of a paper beside the result of
// turnproof.
package reproduce
