<?php
// Decode the jobs of docs/conformance by PHP's mbstring.

echo PHP_VERSION, "\n";
mb_substitute_character(0xFFFD);
foreach (file('jobs.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$name, $other, $number] = explode("\t", $line);
    try {
        mb_convert_encoding('a', 'UTF-16BE', $other);
    } catch (ValueError) {
        continue; // it has no encoding of this name
    }
    $texts = '';
    foreach (file("$name.in", FILE_IGNORE_NEW_LINES) as $data) {
        $texts .= bin2hex(mb_convert_encoding(hex2bin($data), 'UTF-16BE', $other)) . "\n";
    }
    file_put_contents("$name.$number.out", $texts);
}
