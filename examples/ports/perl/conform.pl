# Speaks the protocol of docs/conformance.md for Slotkey.pm.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Slotkey;

sub key { return $_[0] eq '-' ? undef : pack 'H*', $_[0] }

sub hashes {
    my $state = Slotkey::fnv1a32($_[0]);
    return sprintf "%08x\t%08x", $state, Slotkey::fmix32($state);
}

my %operation = (
    hash => sub { return hashes(key($_[0])) },
    slot => sub {
        my $key  = key($_[0]);
        my $slot = Slotkey::slot($key, $_[1]);
        return hashes($key) . "\t$slot";
    },
    owns => sub { return Slotkey::owns(key($_[0]), $_[1], $_[2]) ? 'true' : 'false' },
    key  => sub {
        my $key = Slotkey::routing_key(key($_[0]), key($_[1]));
        return defined $key ? unpack 'H*', $key : '-';
    },
    deal => sub { return join ',', Slotkey::deal($_[0], $_[1]) },
);

$| = 1;
printf "slotkey-port/1\tPerl\t%vd\tnul bytes deal\n", $^V;
$| = 0;
while (my $line = <STDIN>) {
    chomp $line;
    my ($number, $operation, @fields) = split /\t/, $line, -1;    # -1 keeps empty fields at the end
    my $answer = eval { $operation{$operation}->(@fields) };
    if (!defined $answer) {
        ($answer) = $@ =~ /(.*) at /;
        $answer = "error\t$answer";
    }
    print "$number\t$answer\n";
}
