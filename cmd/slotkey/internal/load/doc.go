// Package load counts how keys and events load the slots of a group, in memory that does not grow with their number.
package load
