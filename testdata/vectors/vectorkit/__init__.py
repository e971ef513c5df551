"""What the suites share: the form of a document, how it is written, and the rule itself, read from SPEC.md."""
