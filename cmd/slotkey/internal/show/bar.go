package show

import "strings"

var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// Bar draws a bar of a share of a width, in steps of an eighth of a column. What is above 0 is never drawn as nothing.
func Bar(share float64, width int) string {
	n := int(share*float64(width)*8 + 0.5)
	if n == 0 && share > 0 {
		n = 1
	}
	n = min(n, width*8)
	return strings.Repeat("█", n/8) + eighths[n%8]
}

var levels = []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// Level draws a share as one column of eight heights; above 0 it is never the empty one.
func Level(share float64) string {
	n := int(share*8 + 0.5)
	if n == 0 && share > 0 {
		n = 1
	}
	return levels[min(max(n, 0), 8)]
}
