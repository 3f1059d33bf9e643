// Package disk writes files and folders atomically.
//
// A reader of a name finds either the complete old content or the complete new content, even if
// the process is killed, the disk is full or the machine loses power. To this end a file is
// written under a temporary name in the same folder, forced to the disk, and then renamed.
// Temporary names begin with a dot. The writing process locks the temporary file. A temporary
// file without a lock was left by a killed process; the next process that writes the same file
// removes it.
//
// After a loss of power the old content can be there although the process had finished, because
// the folder is not forced to the disk.
//
// A first call:
//
//	err := disk.Write("table.csv", 0o644, func(w io.Writer) error { _, err := w.Write(text); return err })
//
// Read first: write.go, folder.go; left.go removes what killed runs leave.
package disk
