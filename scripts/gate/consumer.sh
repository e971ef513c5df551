# shellcheck shell=bash
# Steps that see the project as its users get it. Sourced by check.sh.

# What is in the root's go.mod serves tests only: no package outside the standard library is reached without them.
check_requirements() {
  local outside
  outside=$(go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}' ./... | sort -u)
  [ -n "$outside" ] && { printf 'reached without tests:\n%s\n' "$outside"; return 1; }
  go list -m all
}

# library prints the packages that a dependent module can import.
library() {
  go list -f '{{if and .GoFiles (ne .Name "main")}}{{.ImportPath}}{{end}}' ./... | grep -vE '/internal(/|$)'
}

# A program that imports the whole library builds from an empty module cache without a network, and holds nothing else.
check_consumer() {
  local module root=$PWD dir=$GATE_TMP/consumer package
  module=$(go list -m)
  mkdir "$dir"
  library >"$dir/packages"
  for package in hashpin routing slot; do
    grep -qx "$module/$package" "$dir/packages" || { echo "cannot be imported: $package"; return 1; }
  done
  { echo 'package main'; sed 's/.*/import _ "&"/' "$dir/packages"; echo 'func main() {}'; } >"$dir/main.go"
  cd "$dir" || return
  export GOMODCACHE=$dir/modules GOPROXY=off
  go mod init example.com/consumer
  go mod edit -go=1.24.0 -require="$module@v0.0.0" -replace="$module=$root"
  go build -o consumer .
  only "$module" "$(go list -deps -f '{{if not .Standard}}{{.ImportPath}}{{end}}' .)"
  only "$module" "$(go version -m consumer | awk '$1 == "dep" { print $2 }')"
  echo "note: imports $(sed "s|^$module|.|" packages | tr '\n' ' ')"
}

# only MODULE LIST: fails when the list is empty or names what is neither the module's nor the program's.
only() {
  [ -n "$2" ] || { echo 'nothing listed'; return 1; }
  if printf '%s\n' "$2" | grep -vE "^($1|example.com/consumer)(/|\$)"; then return 1; fi
}

# The README promises two commands and no other step. What is not committed is not in the clone.
check_readme() {
  local clone=$GATE_TMP/clone command left
  git status --porcelain | sed 's/^/note: not in the clone: /'
  git clone --quiet . "$clone"
  cd "$clone" || return
  for command in 'go -C examples run ./scaling' 'go test ./...'; do
    grep -qF "$command" README.md || { echo "README.md does not show: $command"; return 1; }
    echo "\$ $command"
    $command
  done
  left=$(git status --porcelain --ignored)
  [ -z "$left" ] || { printf 'written into the tree:\n%s\n' "$left"; return 1; }
}
