// Package oracle tests cloudevent against jsontext, a validating JSON parser that shares nothing
// with it and needs Go 1.26.
package oracle
