// Says what it takes for time and random numbers, in all ways that a C library has.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void hex(const char *what, const unsigned char *b, int n) {
	printf(" %s ", what);
	for (int i = 0; i < n; i++)
		printf("%02x", b[i]);
}

static void device(const char *name) {
	unsigned char b[8];
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, b, sizeof b) != sizeof b)
		exit(1);
	close(fd);
	hex(name, b, sizeof b);
}

static void ask(void) {
	unsigned char b[8];
	struct timespec ts;
	struct timeval tv;
	if (getrandom(b, sizeof b, 0) != sizeof b)
		exit(2);
	hex("getrandom", b, sizeof b);
	device("/dev/urandom");
	device("/dev/random");
	for (clockid_t id = CLOCK_REALTIME; id <= CLOCK_REALTIME_COARSE; id += CLOCK_REALTIME_COARSE - CLOCK_REALTIME) {
		clock_gettime(id, &ts);
		printf(" clock %ld.%09ld", (long)ts.tv_sec, ts.tv_nsec);
	}
	gettimeofday(&tv, NULL);
	printf(" of day %ld.%06ld time %ld", (long)tv.tv_sec, (long)tv.tv_usec, (long)time(NULL));
}

// Waits until a date, which must pass truly, and takes its time.
static void wait_until(void) {
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	struct timespec from, to, end;
	clock_gettime(CLOCK_MONOTONIC, &from);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += 50 * 1000 * 1000;
	if (end.tv_nsec >= 1000000000)
		end.tv_nsec -= 1000000000, end.tv_sec++;
	pthread_mutex_lock(&m);
	int e = pthread_cond_timedwait(&c, &m, &end);
	clock_gettime(CLOCK_MONOTONIC, &to);
	long ms = (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000;
	printf(" waited %s %s", e == ETIMEDOUT ? "all" : "?", ms >= 49 && ms < 5000 ? "truly" : "not");
}

// Looks at the clock until a second has passed, without a pause.
static void poll(void) {
	time_t end = time(NULL) + 1;
	while (time(NULL) < end)
		;
	printf(" polled");
}

int main(void) {
	int here;
	hex("auxv", (unsigned char *)getauxval(AT_RANDOM), 16);
	printf(" stack %p heap %p", (void *)&here, malloc(1));
	ask();
	wait_until();
	poll();
	struct timespec nap = {0, 20 * 1000 * 1000};
	nanosleep(&nap, NULL);
	ask();
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		if (fork() == 0) {
			printf(" child %d", i);
			ask();
			fflush(stdout);
			_exit(0);
		}
		wait(NULL);
	}
	ask();
	printf("\n");
	return 0;
}
