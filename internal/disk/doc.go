// Package disk writes files and folders whole or not at all.
//
// Whoever looks at a name finds what was there before or all of what is there now, whatever
// happens in between: the process is killed, the disk is full, the machine loses its power.
// So a file is written under another name in the same folder, forced to the disk, and then
// renamed. Its other name begins with a dot. What a killed process leaves under such a name
// is removed by the next one that writes the same file: it is locked by whoever is at work on
// it, so that it is known from what is left behind.
//
// After a loss of power it may be what was there before, though the process had ended: the
// folder is not forced to the disk.
//
// A first call:
//
//	err := disk.Write("table.csv", 0o644, func(w io.Writer) error { _, err := w.Write(text); return err })
package disk
