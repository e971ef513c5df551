# Speaks the protocol of docs/conformance.md for slotkey.tcl.

source [file join [file dirname [info script]] slotkey.tcl]

# An absent attribute is an empty one to slotkey.tcl.
proc bytes {field} {
    if {$field eq "-"} return
    binary decode hex $field
}

proc hashes {key} {
    set state [slotkey::fnv1a32 $key]
    format "%08x\t%08x" $state [slotkey::fmix32 $state]
}

proc answer {operation fields} {
    lassign $fields a b c
    switch -- $operation {
        hash { return [hashes [bytes $a]] }
        slot {
            set slot [slotkey::slot [bytes $a] $b]
            return "[hashes [bytes $a]]\t$slot"
        }
        owns {
            if {[slotkey::owns [bytes $a] $b $c]} { return true }
            return false
        }
        key {
            set key [slotkey::routing_key [bytes $a] [bytes $b]]
            if {$key eq ""} { return "-" }
            return [binary encode hex $key]
        }
        deal { return [join [slotkey::deal $a $b] ,] }
    }
    error "unknown operation"
}

fconfigure stdin -translation lf -encoding iso8859-1 -buffersize 65536
fconfigure stdout -translation lf -encoding iso8859-1 -buffering full -buffersize 65536
puts "slotkey-port/1\tTcl\t[info patchlevel]\tnul bytes deal"
flush stdout
while {[gets stdin line] >= 0} {
    set fields [lassign [split $line \t] number operation]
    if {[catch {answer $operation $fields} text]} { set text "error\t$text" }
    puts "$number\t$text"
}
