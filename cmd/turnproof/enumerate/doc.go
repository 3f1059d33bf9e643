// Package enumerate implements the command enumerate. It counts and lists sets of class turns.
package enumerate
