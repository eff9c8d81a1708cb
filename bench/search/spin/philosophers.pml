/*
 * The dining philosophers of ../programs, one step for each operation that is
 * one for heddle: a go statement, Lock, Unlock, WaitGroup.Done. What the machine
 * of heddle does between two of them has no counterpart here.
 *
 *	spin -a -DN=8 philosophers.pml            philosophers8; with N=5, N=6 the small ones
 *	spin -a -DN=6 -DENDLESS philosophers.pml  philosophers6ordered
 *	gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c
 *	./pan -c0 -m100000
 *
 * It stores 6,462 states for N=5, 35,810 for N=6, 1,099,622 for N=8, and 1,065
 * for N=6 with ENDLESS.
 *
 * Without ENDLESS each takes the left fork, then the right one, once, and pan
 * finds the state in which each holds his left fork. With ENDLESS each takes the
 * fork with the lower number first, for ever, and init takes part as the last
 * one.
 */
#ifndef N
#define N 8
#endif

bool taken[N];

#define lock(f)   atomic { !taken[f] -> taken[f] = true }
#define unlock(f) taken[f] = false

#ifdef ENDLESS

proctype philosopher(byte first; byte second)
{
again:
	lock(first);
	lock(second);
	unlock(second);
	unlock(first);
	goto again
}

init
{
	byte i;
	do
	:: atomic { i < N-1 -> run philosopher(i, i+1); i++ }
	:: atomic { i == N-1 && !taken[0] -> taken[0] = true };
		lock(N-1);
		unlock(N-1);
		unlock(0)
	od
}

#else

byte done;

/* A philosopher who is done stays: the death of a process would be a step. */
proctype philosopher(byte first; byte second)
{
	lock(first);
	lock(second);
	unlock(second);
	unlock(first);
	done++;
end:
	false
}

init
{
	byte i;
	do
	:: atomic { i < N -> run philosopher(i, (i+1) % N); i++ }
	:: atomic { i == N && done == N -> break }
	od;
end:
	false
}

#endif
