// Package convert implements the command convert. It writes a network or its routing in another
// format.
package convert
