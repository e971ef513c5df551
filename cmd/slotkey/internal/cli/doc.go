// Package cli is the commands of slotkey: each reads its flags and input, asks the library, and
// writes the answer for people or as JSON.
package cli
