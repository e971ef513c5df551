package cloudevent

import "iter"

// Batch returns the elements of a JSON batch, raw, in order, for [Decide] to judge one by one. They
// are parts of body. By [Message.Mode] a batch is known.
//
// It is total. An element that is no event is still one element, which Decide calls malformed or
// foreign as any event without a key. Where the array itself cannot be read further, the last
// element is all the rest of body, perhaps empty, and comes with an error, a [*SyntaxError]: judge
// it as the others, so that one member answers for it. The empty array has no elements.
func Batch(body []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		pos := skipSpace(body, 0)
		if at(body, pos) != '[' {
			yield(body, &SyntaxError{pos, notAnArray})
			return
		}
		pos = skipSpace(body, pos+1)
		slash := -1
		for first := true; !first || at(body, pos) != ']'; first = false {
			if slash < pos { // once for all elements up to it, or the time would grow with the square of the batch
				slash = slashFrom(body, pos)
			}
			end := skipValue(body, pos, slash)
			if end < 0 {
				yield(body[pos:], &SyntaxError{len(body), unendedValue})
				return
			}
			if end == pos {
				yield(body[pos:], &SyntaxError{pos, noValue})
				return
			}
			if !yield(body[pos:end:end], nil) { // appending to an element does not write into the next
				return
			}
			if pos = skipSpace(body, end); at(body, pos) != ',' {
				break
			}
			pos = skipSpace(body, pos+1)
		}
		if at(body, pos) != ']' {
			yield(body[pos:], &SyntaxError{pos, noCommaOrBracket})
			return
		}
		if rest := skipSpace(body, pos+1); rest < len(body) {
			yield(body[rest:], &SyntaxError{rest, afterTheArray})
		}
	}
}

// skipValue skips any value; it stays at pos if there is none. slash is the first backslash from pos on.
func skipValue(body []byte, pos, slash int) int {
	switch at(body, pos) {
	case '"':
		return skipString(body, pos+1)
	case '{', '[':
		return skipContainer(body, pos, slash)
	}
	return skipScalar(body, pos)
}

// Reasons of a batch's own.
const (
	notAnArray       = `a "[" should stand here`
	noCommaOrBracket = `a "," or "]" should stand here`
	afterTheArray    = "nothing but white space may follow the batch"
)
