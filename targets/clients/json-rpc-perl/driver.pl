use strict;
use warnings;
use JSON::PP ();
use JSON::RPC::Legacy::Client;

# Commands and outcomes; what the library reads and writes goes through its own coder.
my $coder = JSON::PP->new->utf8->canonical->allow_nonref;
my $client = JSON::RPC::Legacy::Client->new;
$client->version('1.0');
$client->ua->timeout($ENV{JRPCHECK_TIMEOUT} / 1000);
$| = 1;

sub tell_driver { print $coder->encode({@_}), "\n" }

sub call {
    my ($command, %more) = @_;
    my $answer = $client->call($ENV{JRPCHECK_URL}, { method => $command->{method}, params => $command->{params} // [], %more });
    return (result => undef) if exists $more{id};
    return (failed => $client->status_line) unless $answer;
    return (result => $answer->result) if $answer->is_success;
    return (error => $answer->content->{error});
}

tell_driver(driver => 1, name => 'JSON::RPC::Legacy::Client', version => $JSON::RPC::Legacy::Client::VERSION, can => ['call', 'notify']);
while (my $line = <STDIN>) {
    my $command = $coder->decode($line);
    my @outcome = $command->{do} eq 'ping' ? (result => 'pong')
      : eval { call($command, $command->{do} eq 'notify' ? (id => undef) : ()) };
    @outcome = (failed => "$@") unless @outcome;
    tell_driver(tag => $command->{tag}, @outcome);
}
