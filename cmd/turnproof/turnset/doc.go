// Package turnset makes a turn set by a method, proves it and measures it. The command turns prints
// the result; report compares results.
package turnset
