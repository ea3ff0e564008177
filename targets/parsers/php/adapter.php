<?php
// Adapter for the JSON parser of PHP: php adapter.php [object]
//
// By default as arrays (json_decode's second argument true); "object": as objects, its default.
$arrays = ($argv[1] ?? '') !== 'object';
ini_set('memory_limit', '-1');
ini_set('serialize_precision', '-1');
$in = fopen('php://stdin', 'rb');

function answer(string $body): void
{
    fwrite(STDOUT, pack('N', strlen($body)) . $body);
    fflush(STDOUT);
}

function bytes($in, int $count): string
{
    $text = '';
    while (strlen($text) < $count && ($part = fread($in, $count - strlen($text))) !== false && $part !== '') {
        $text .= $part;
    }
    return $text;
}

answer('I' . json_encode(['name' => $arrays ? 'json_decode (arrays)' : 'json_decode (objects)', 'version' => PHP_VERSION, 'language' => 'PHP']));
while (strlen($head = bytes($in, 4)) === 4) {
    $text = bytes($in, unpack('N', $head)[1]);
    try {
        $value = json_decode($text, $arrays, 512, JSON_THROW_ON_ERROR);
    } catch (JsonException $error) {
        answer('R' . $error->getMessage());
        continue;
    }
    $written = json_encode($value, JSON_PRESERVE_ZERO_FRACTION);
    answer($written === false ? 'a' : 'A' . $written);
}
