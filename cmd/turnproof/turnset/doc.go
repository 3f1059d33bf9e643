// Package turnset makes a turn set by a method, proves it and measures it. The command turns
// prints the result; the command report compares results.
package turnset
