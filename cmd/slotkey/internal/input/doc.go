// Package input reads what the commands are given: files, folders, standard input, and in them keys
// or events in the forms that people have them in.
package input
