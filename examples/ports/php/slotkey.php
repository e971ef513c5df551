<?php

declare(strict_types=1);

/**
 * Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". PHP 8, 64 bit.
 *
 * Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
 * because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
 * finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
 * normalisation. A string is its bytes, valid UTF-8 or not.
 *
 *     if (!Slotkey::owns($key, 3, 1)) return; // acknowledge and forget: another member has it
 */
final class Slotkey
{
    public const MAX_SIZE = 1024;

    /** The key of an event, or null where it has none. An attribute that is null or empty is absent; "0" is not empty. */
    public static function routingKey(?string $subject, ?string $id): ?string
    {
        if ($subject !== null && $subject !== '') {
            return $subject;
        }
        return $id !== '' ? $id : null;
    }

    /** The first stage of the hash; hash('fnv1a32', $key) gives the same in hexadecimal. */
    public static function fnv1a32(string $key): int
    {
        $h = 2166136261;
        for ($i = 0, $n = strlen($key); $i < $n; $i++) {
            $h = ($h ^ ord($key[$i])) * 16777619 & 0xffffffff; // below 2^57
        }
        return $h;
    }

    /** The second stage of the hash. */
    public static function fmix32(int $h): int
    {
        $h = self::multiply($h ^ $h >> 16, 0x85ebca6b);
        $h = self::multiply($h ^ $h >> 13, 0xc2b2ae35);
        return $h ^ $h >> 16;
    }

    /** $a * $b modulo 2^32, in halves: what passes 2^63 becomes a float and loses its low bits. */
    private static function multiply(int $a, int $b): int
    {
        return ($a & 0xffff) * $b + ((($a >> 16) * $b & 0xffff) << 16) & 0xffffffff;
    }

    /** The hash of a key, 0 to 2^32 - 1. */
    public static function hash32(string $key): int
    {
        return self::fmix32(self::fnv1a32($key));
    }

    /** The slot of a key in a group of $size slots, from 0. */
    public static function slot(string $key, int $size): int
    {
        if ($size < 1 || $size > self::MAX_SIZE) {
            throw new InvalidArgumentException("size $size is not 1 to " . self::MAX_SIZE);
        }
        return self::hash32($key) % $size;
    }

    /** Whether the member that holds slot $index owns the key. */
    public static function owns(string $key, int $size, int $index): bool
    {
        if ($index < 0 || $index >= $size) {
            throw new InvalidArgumentException("index $index is not below size $size");
        }
        return self::slot($key, $size) === $index;
    }

    /**
     * The holders of slots 0 to $slots - 1, if $members share them: balanced, and stable when members change.
     *
     * @return list<int>
     */
    public static function deal(int $slots, int $members): array
    {
        if ($members < 1 || $members > $slots || $slots > self::MAX_SIZE) {
            throw new InvalidArgumentException("$members members cannot share $slots slots");
        }
        $hands = [range(0, $slots - 1)];
        while (count($hands) < $members) {
            $taken = [];
            for ($n = intdiv($slots, count($hands) + 1); $n > 0; $n--) {
                $giver = 0;
                foreach ($hands as $member => $hand) {
                    if (count($hand) >= count($hands[$giver])) {
                        $giver = $member;
                    }
                }
                $taken[] = array_pop($hands[$giver]);
            }
            sort($taken);
            $hands[] = $taken;
        }
        $holders = [];
        foreach ($hands as $member => $hand) {
            foreach ($hand as $slot) {
                $holders[$slot] = $member;
            }
        }
        ksort($holders);
        return $holders;
    }
}
