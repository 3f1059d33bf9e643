// Package enumerate is the command enumerate: it counts and lists sets of class turns.
package enumerate
