module github.com/slotkey/slotkey

go 1.24.0
