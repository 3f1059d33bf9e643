// Package rows prints the result of a command as a table, for the flag --format of several commands.
package rows
