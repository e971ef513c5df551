package cli

import (
	"io"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
)

// each opens all files that the paths name, one after the other, and shows on a terminal how far the reading is.
func (a *app) each(what string, paths []string, read func(path string, r io.Reader) error) error {
	files, err := input.Find(paths)
	if err != nil {
		return err
	}
	progress := show.NewProgress(a.errs, what, input.Total(files))
	defer progress.Clear()
	var done int64
	for _, f := range files {
		file, err := f.Open(a.in)
		if err != nil {
			return err
		}
		err = read(f.Path, progress.Reader(file, &done))
		file.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
