// Package convert is the command convert: it writes a network or its routing in another format.
package convert
