package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// A File is one input, not opened yet.
type File struct {
	Path string
	Size int64 // in bytes; -1 where that is not known beforehand
}

// Find returns the files that the paths name: a file is itself, a folder all files in it and below,
// in the order of their names, but those whose names, or whose folders', begin with a dot. A folder
// without a file is an error, and so is standard input twice.
func Find(paths []string) ([]File, error) {
	var files []File
	stdin := false
	for _, path := range paths {
		if path == Stdin {
			if stdin {
				return nil, errors.New("standard input, -, is given twice")
			}
			stdin = true
			files = append(files, File{path, -1})
			continue
		}
		found, err := find(path)
		if err != nil {
			return nil, plain(err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("the folder %s has no file", path)
		}
		files = append(files, found...)
	}
	return files, nil
}

func find(root string) (files []File, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != root && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := os.Stat(path) // of a link, what it leads to
		switch {
		case err != nil:
			return err
		case entry.IsDir():
		case info.Mode().IsRegular():
			files = append(files, File{path, info.Size()})
		case path == root && !info.IsDir():
			files = append(files, File{path, -1}) // a pipe, such as <(command) in a shell
		case path == root:
			more, err := find(path + string(filepath.Separator)) // a link to a folder
			files = append(files, more...)
			return err
		}
		return nil
	})
	return files, err
}

// Open opens the file.
func (f File) Open(stdin io.Reader) (io.ReadCloser, error) {
	if f.Path == Stdin {
		return io.NopCloser(stdin), nil
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, plain(err)
	}
	return file, nil
}

// Total returns the size of all files, -1 if that of one is not known.
func Total(files []File) (total int64) {
	for _, f := range files {
		if f.Size < 0 {
			return -1
		}
		total += f.Size
	}
	return total
}

// plain leaves away which system call failed.
func plain(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}
