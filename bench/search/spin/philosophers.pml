/*
 * The dining philosophers of ../programs, one step for each operation that is
 * one for heddle: Lock, Unlock, WaitGroup.Done and the end of Wait. Starting all
 * goroutines is one step. What the machine of heddle does between two operations
 * has no counterpart here.
 *
 *	spin -a -DN=8 philosophers.pml            philosophers8; with N=5, N=6 the small ones
 *	spin -a -DN=6 -DENDLESS philosophers.pml  philosophers6ordered
 *	gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c
 *	./pan -c0 -m100000
 *
 * It stores 5,226 states for N=5, 28,955 for N=6, 889,088 for N=8, and 863 for
 * N=6 with ENDLESS: those of heddle without reduction, and the one before
 * anybody has started.
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
	atomic {
		do
		:: i < N-1 -> run philosopher(i, i+1); i++
		:: else -> i = 0; break
		od
	}
again:
	lock(0);
	lock(N-1);
	unlock(N-1);
	unlock(0);
	goto again
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
	atomic {
		do
		:: i < N -> run philosopher(i, (i+1) % N); i++
		:: else -> i = 0; break
		od
	}
	done == N;
end:
	false
}

#endif
