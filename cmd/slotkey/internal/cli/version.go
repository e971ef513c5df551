package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
)

type versionLine struct {
	Version string `json:"version"`
	Rule    string `json:"rule"` // the default one
	Go      string `json:"go"`
	System  string `json:"system"`
}

func version() versionLine {
	v := versionLine{Version: "(devel)", Rule: hashpin.Algorithm + " " + routing.DefaultKey, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	return v
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "The version of this tool, and the default rule",
		Args:    cobra.NoArgs,
		Example: "  $ slotkey version --json",
		RunE: func(*cobra.Command, []string) error {
			v := version()
			if a.asJSON {
				return a.object(v)
			}
			a.printf("slotkey %s, default rule %s, %s %s\n", v.Version, v.Rule, v.Go, v.System)
			return nil
		},
	}
}
