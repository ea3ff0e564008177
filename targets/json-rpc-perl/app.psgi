# A JSON::RPC server, written as its documentation shows: plackup app.psgi
use strict;
use warnings;

package Fixture;

my $took = 0;

sub new { return bless {}, shift }

sub subtract {
    my ($self, $params) = @_;
    my ($minuend, $subtrahend) =
        ref $params eq 'ARRAY' ? @$params : @$params{qw(minuend subtrahend)};
    return $minuend - $subtrahend;
}

sub sum {
    my ($self, $params) = @_;
    my $total = 0;
    $total += $_ for @$params;
    return $total;
}

sub get_data { return ['hello', 5] }
sub echo { my ($self, $params) = @_; return $params }
sub fail { die "the handler failed\n" }

sub slow {
    my ($self, $params) = @_;
    my $ms = ref $params eq 'ARRAY' ? $params->[0] : $params->{ms};
    select undef, undef, undef, $ms / 1000;
    return $ms;
}

sub effect { $took++; return undef }
sub count { return $took }

package main;

use JSON::RPC::Dispatch;
use Router::Simple;

my $router = Router::Simple->new;
my %actions = (
    (map { $_ => $_ } qw(subtract sum get_data echo fail slow count)),
    (map { $_ => 'effect' } qw(update notify_hello notify_sum)),
);
$router->connect($_ => { handler => '+Fixture', action => $actions{$_} }) for keys %actions;

my $handler = Fixture->new;
my $dispatch = JSON::RPC::Dispatch->new(router => $router, handlers => { Fixture => $handler });

sub { return $dispatch->handle_psgi(shift) };
