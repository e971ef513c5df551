package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
)

const vectorsLong = `Vectors prints the published conformance vectors, which are inside of the program.

Without a name it lists the suites. With names it prints files: hash.v1 is the JSON file of that suite, hash.v1.tsv the one for
languages without a parser of JSON, README.md tells how to read them. With --output it writes all files into a folder.`

type suite struct {
	Name  string `json:"name"`
	Tests int    `json:"tests"`
	Flags int    `json:"flags"`
}

func (a *app) vectorsCommand() *cobra.Command {
	var output string
	files, err := fs.Sub(slotkey.Vectors, "testdata/vectors")
	must(err)
	c := &cobra.Command{
		Use:   "vectors [NAME…]",
		Short: "Print the conformance vectors",
		Long:  vectorsLong,
		Example: `  $ slotkey vectors
  $ slotkey vectors hash.v1.tsv
  $ slotkey vectors --output vectors`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names, _ := fs.Glob(files, "*.v*.*")
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, names []string) error {
			switch {
			case output != "" && len(names) > 0:
				return errors.New("vectors: --output writes all files, so give no names")
			case output != "":
				return a.writeVectors(files, output)
			case len(names) == 0:
				return a.listVectors(files)
			}
			return a.printVectors(files, names)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "write all files into the folder `DIR`")
	must(c.MarkFlagDirname("output"))
	return c
}

func (a *app) listVectors(files fs.FS) error {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		return err
	}
	table := show.Table{Head: []string{"SUITE", "TESTS", "FLAGS"}, Right: map[int]bool{1: true, 2: true}}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		var document struct {
			NumberOfTests int
			Notes         map[string]string
		}
		if err := json.Unmarshal(data, &document); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s := suite{strings.TrimSuffix(name, ".json"), document.NumberOfTests, len(document.Notes)}
		if a.asJSON {
			if err := a.object(s); err != nil {
				return err
			}
		}
		table.Add(s.Name, fmt.Sprint(s.Tests), fmt.Sprint(s.Flags))
	}
	if !a.asJSON {
		table.Print(a.out)
	}
	return nil
}

func (a *app) printVectors(files fs.FS, names []string) error {
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			data, err = fs.ReadFile(files, name+".json")
		}
		if err != nil {
			return fmt.Errorf("vectors: there is no %q; without a name the suites are listed", name)
		}
		if _, err := a.out.Write(data); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) writeVectors(files fs.FS, dir string) error {
	written := 0
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		written++
		return os.WriteFile(file, data, 0o666)
	})
	if err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	if a.asJSON {
		return a.object(map[string]any{"folder": dir, "files": written})
	}
	a.printf("%s in %s\n", show.Plural(written, "file"), dir)
	return nil
}
