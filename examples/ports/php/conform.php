<?php

declare(strict_types=1);

// Speaks the protocol of docs/conformance.md for slotkey.php.

require __DIR__ . '/slotkey.php';

function attribute(string $field): ?string
{
    return $field === '-' ? null : hex2bin($field);
}

function hashes(string $key): string
{
    $state = Slotkey::fnv1a32($key);
    return sprintf("%08x\t%08x", $state, Slotkey::fmix32($state));
}

function answer(array $f): string
{
    switch ($f[1]) {
        case 'hash':
            return hashes(hex2bin($f[2]));
        case 'slot':
            $key = hex2bin($f[2]);
            $slot = Slotkey::slot($key, (int) $f[3]);
            return hashes($key) . "\t$slot";
        case 'owns':
            return Slotkey::owns(hex2bin($f[2]), (int) $f[3], (int) $f[4]) ? 'true' : 'false';
        case 'key':
            $key = Slotkey::routingKey(attribute($f[2]), attribute($f[3]));
            return $key === null ? '-' : bin2hex($key);
        case 'deal':
            return implode(',', Slotkey::deal((int) $f[2], (int) $f[3]));
        default:
            throw new InvalidArgumentException('unknown operation');
    }
}

fwrite(STDOUT, "slotkey-port/1\tPHP\t" . PHP_VERSION . "\tnul bytes deal\n");
$answers = '';
while (($line = fgets(STDIN)) !== false) {
    $f = explode("\t", rtrim($line, "\n"));
    try {
        $answers .= $f[0] . "\t" . answer($f) . "\n";
    } catch (InvalidArgumentException $e) {
        $answers .= $f[0] . "\terror\t" . $e->getMessage() . "\n";
    }
    if (strlen($answers) > 65536) {
        fwrite(STDOUT, $answers);
        $answers = '';
    }
}
fwrite(STDOUT, $answers);
