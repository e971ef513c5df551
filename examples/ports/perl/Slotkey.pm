package Slotkey;

# Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". Perl with 64-bit integers.
#
# Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
# because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
# finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
# normalisation. A key is a string of bytes, valid UTF-8 or not. Perl cannot tell text from bytes: whoever has decoded
# text calls Encode::encode('UTF-8', $text) first. A character above 255 shows that it was forgotten, and is refused.
#
#     return unless Slotkey::owns($key, 3, 1);    # acknowledge and forget: another member has it

use strict;
use warnings;
use Carp 'croak';
use integer;    # 64 bits that wrap, never doubles; and / is whole

use constant MAX_SIZE => 1024;

# The key of an event, or undef where it has none. An attribute that is undef or empty is absent; "0" is not empty.
sub routing_key {
    my ($subject, $id) = @_;
    return $subject if defined $subject && $subject ne '';
    return defined $id && $id ne '' ? $id : undef;
}

# The first stage of the hash.
sub fnv1a32 {
    my ($key) = @_;
    utf8::downgrade($key, 1) or croak 'the key is text: encode it to UTF-8 first';
    my $h = 2166136261;
    $h = ($h ^ $_) * 16777619 & 0xffffffff for unpack 'C*', $key;
    return $h;
}

# The second stage of the hash.
sub fmix32 {
    my ($h) = @_;
    $h = ($h ^ $h >> 16) * 0x85ebca6b & 0xffffffff;
    $h = ($h ^ $h >> 13) * 0xc2b2ae35 & 0xffffffff;
    return $h ^ $h >> 16;
}

# The hash of a key, 0 to 2**32 - 1.
sub hash32 { return fmix32(fnv1a32($_[0])) }

# The slot of a key in a group of $size slots, from 0.
sub slot {
    my ($key, $size) = @_;
    croak "size $size is not 1 to " . MAX_SIZE if $size < 1 || $size > MAX_SIZE;
    return hash32($key) % $size;
}

# Whether the member that holds slot $index owns the key.
sub owns {
    my ($key, $size, $index) = @_;
    croak "index $index is not below size $size" if $index < 0 || $index >= $size;
    return slot($key, $size) == $index;
}

# The holders of slots 0 to $slots - 1, if $members share them: balanced, and stable when members change.
sub deal {
    my ($slots, $members) = @_;
    croak "$members members cannot share $slots slots" if $members < 1 || $members > $slots || $slots > MAX_SIZE;
    my @hands = [0 .. $slots - 1];
    while (@hands < $members) {
        my @taken;
        for (1 .. $slots / (@hands + 1)) {
            my $giver = $hands[0];
            for my $hand (@hands) { $giver = $hand if @$hand >= @$giver }
            push @taken, pop @$giver;
        }
        push @hands, [sort { $a <=> $b } @taken];
    }
    my @holders;
    for my $member (0 .. $#hands) { $holders[$_] = $member for @{ $hands[$member] } }
    return @holders;
}

1;
