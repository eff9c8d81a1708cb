# A server that keeps a value, a counter, a lock, a queue and sessions: one thread, and
# select. The same as keep.py and main.go.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;

my $listener = IO::Socket::INET->new(LocalAddr => $ARGV[0], Listen => 16, ReuseAddr => 1) or die "listen: $!";
my $all = IO::Select->new($listener);
my ($value, $count, $locked, @queue, %sessions, %input) = (0, 0, 0);

sub answer {
    my ($command, $word) = split ' ', $_[0];
    if    ($command eq 'GET')    { return $value }
    elsif ($command eq 'SET')    { $value = $word }
    elsif ($command eq 'INCR')   { return ++$count }
    elsif ($command eq 'LOCK')   { return 'BUSY' if $locked; $locked = 1 }
    elsif ($command eq 'UNLOCK') { $locked = 0 }
    elsif ($command eq 'PUSH')   { push @queue, $word }
    elsif ($command eq 'POP')    { return @queue ? shift @queue : 'EMPTY' }
    elsif ($command eq 'LOGIN')  { $sessions{"token-$word"} = $word; return "token-$word" }
    elsif ($command eq 'WHO')    { return $sessions{$word} // 'DENIED' }
    return 'OK';
}

while (my @ready = $all->can_read) {
    for my $conn (@ready) {
        if ($conn == $listener) {
            $all->add(scalar $listener->accept);
            next;
        }
        my $n = sysread $conn, $input{$conn}, 4096, length($input{$conn} // '');
        if (!$n) {
            delete $input{$conn};
            $all->remove($conn);
            close $conn;
            next;
        }
        while ($input{$conn} =~ s/^(.*)\n//) {
            syswrite $conn, answer($1) . "\n";
        }
    }
}
