# Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". Tcl 8.6.
#
# Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
# because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
# finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
# normalisation. A key is a string of bytes, valid UTF-8 or not, as a channel with "-translation binary" gives it; whoever has
# text calls [encoding convertto utf-8 $text] first. A character above 255 shows that it was forgotten, and is refused.
#
#     if {![slotkey::owns $key 3 1]} return ;# acknowledge and forget: another member has it

namespace eval slotkey {
    variable max_size 1024

    # The key of an event; the empty string, which is no key, where it has none. An empty attribute is absent.
    proc routing_key {subject id} {
        if {$subject ne ""} { return $subject } ;# expr's ?: would make 7 of 007
        return $id
    }

    # The first stage of the hash.
    proc fnv1a32 {key} {
        if {[regexp {[^\u0000-\u00ff]} $key]} {
            error "the key is text: convert it to UTF-8 first"
        }
        set h 2166136261
        binary scan $key cu* bytes
        foreach byte $bytes {
            set h [expr {($h ^ $byte) * 16777619 & 0xffffffff}]
        }
        return $h
    }

    # The second stage of the hash.
    proc fmix32 {h} {
        set h [expr {($h ^ $h >> 16) * 0x85ebca6b & 0xffffffff}]
        set h [expr {($h ^ $h >> 13) * 0xc2b2ae35 & 0xffffffff}]
        expr {$h ^ $h >> 16}
    }

    # The hash of a key, 0 to 2**32 - 1.
    proc hash32 {key} {
        fmix32 [fnv1a32 $key]
    }

    # The slot of a key in a group of size slots, from 0.
    proc slot {key size} {
        variable max_size
        if {$size < 1 || $size > $max_size} {
            error "size $size is not 1 to $max_size"
        }
        expr {[hash32 $key] % $size}
    }

    # Whether the member that holds slot index owns the key.
    proc owns {key size index} {
        if {$index < 0 || $index >= $size} {
            error "index $index is not below size $size"
        }
        expr {[slot $key $size] == $index}
    }

    # The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change.
    proc deal {slots members} {
        variable max_size
        if {$members < 1 || $members > $slots || $slots > $max_size} {
            error "$members members cannot share $slots slots"
        }
        set hand(0) {}
        for {set s 0} {$s < $slots} {incr s} { lappend hand(0) $s }
        set held [list $slots]
        for {set newcomer 1} {$newcomer < $members} {incr newcomer} {
            set taken {}
            for {set n [expr {$slots / ($newcomer + 1)}]} {$n > 0} {incr n -1} {
                set most 0
                set member 0
                foreach count $held {
                    if {$count >= $most} { set most $count; set giver $member }
                    incr member
                }
                lappend taken [lindex $hand($giver) end]
                set hand($giver) [lreplace $hand($giver) end end]
                lset held $giver [expr {$most - 1}]
            }
            set hand($newcomer) [lsort -integer $taken]
            lappend held [llength $taken]
        }
        set holders [lrepeat $slots 0]
        for {set member 0} {$member < $members} {incr member} {
            foreach s $hand($member) { lset holders $s $member }
        }
        return $holders
    }
}
