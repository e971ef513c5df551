// Package show writes for people: tables, bars, colours, progress; the same in a pipe as on a
// terminal, but for colours and widths.
package show
