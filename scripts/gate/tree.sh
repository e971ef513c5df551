# shellcheck shell=bash
# Steps that look at the files of the whole repository. Sourced by check.sh.

check_format() {
  local files
  files=$(gofmt -l -s .)
  [ -z "$files" ] && return
  printf 'not formatted by gofmt -s:\n%s\n' "$files"
  return 1
}

# What belongs to one maintainer's machine has no place in a published tree: an absolute path, a workspace.
check_tree() {
  local pattern='(^|[^[:alnum:]_.~-])/(home|root|tmp|work|workspace|builds|Users)/[[:alnum:]_.-]' found
  found=$(git grep --untracked -nIE "$pattern" -- . ':!*.sum') || [ $? = 1 ]
  found+=$(git ls-files '*go.work' '*go.work.sum')
  [ -z "$found" ] && return
  printf 'paths of one machine, or a workspace, in the tree:\n%s\n' "$found"
  return 1
}

check_links() {
  need python3 python3
  git ls-files -co --exclude-standard '*.md' | python3 scripts/gate/links.py
}

check_vectors() {
  need python3 python3
  python3 testdata/vectors/generate.py --check
}
