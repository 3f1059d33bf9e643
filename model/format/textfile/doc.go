// Package textfile reads text files whose content is not trusted, for the packages that read formats.
//
//   - A File is read line by line, or by another reader. Compression (package unpack) and UTF-16 are recognised by the content.
//   - An Error has the file and the line.
//   - JSON is decoded strictly: unknown keys and keys that occur twice are errors.
//   - Functions on the first kilobytes of a file, such as HasLine, TopKeys and CSVColumns, help to recognise its format.
//   - A Printer writes text and keeps the first error.
//
// A first call:
//
//	src, err := textfile.Open("links.txt", nil)
//	defer src.Close()
//	err = src.Each(func(line []byte) error { return src.Errorf("%q is no line of this format", textfile.Clip(line)) })
//
// Read first: file.go, json.go; head.go (what formats are recognised by).
package textfile
