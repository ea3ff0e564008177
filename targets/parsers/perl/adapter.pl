# Adapter for the JSON parsers of Perl: perl adapter.pl JSON::PP|JSON::XS|Cpanel::JSON::XS
use strict;
use warnings;

my $name = shift // 'JSON::PP';
eval "require $name; 1" or die "adapter: there is no $name\n";
binmode STDIN;
binmode STDOUT;
$| = 1;

sub answer {
    my ($body) = @_;
    print pack('N', length $body) . $body;
}

my $json = $name->new->utf8->allow_nonref;
answer('I' . $json->encode({ name => $name, version => '' . $name->VERSION, language => 'Perl' }));
while (read(STDIN, my $head, 4) == 4) {
    my $text = '';
    read(STDIN, $text, unpack('N', $head)) if unpack('N', $head) > 0;
    my ($value, $read) = (undef, 0);
    $read = eval { $value = $json->decode($text); 1 };
    if (!$read) {
        my $why = "$@";
        utf8::encode($why) if utf8::is_utf8($why);
        answer('R' . substr($why, 0, 1000));
        next;
    }
    my $written = eval { $json->encode($value) };
    answer(defined $written ? "A$written" : 'a');
}
