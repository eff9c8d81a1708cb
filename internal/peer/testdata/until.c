// Waits until a date, in the way that it is told: it goes around until the calendar says that the time has come.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int input[2];
static const long tick = 100 * 1000 * 1000, whole = 150 * 1000 * 1000;

static long long date(void) {
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static struct timespec span(long long ns) {
	struct timespec ts = {ns / 1000000000, ns % 1000000000};
	return ts;
}

static void nothing(int n) { (void)n; }

static void once(const char *way) {
	struct timespec ts = span(tick);
	struct timeval tv = {0, tick / 1000};
	fd_set set;
	FD_ZERO(&set);
	FD_SET(input[0], &set);
	struct pollfd p = {input[0], POLLIN, 0};
	struct epoll_event e = {EPOLLIN, {0}};
	struct itimerval it = {{0, 0}, {0, tick / 1000}};
	struct itimerspec its = {{0, 0}, span(tick)};
	sigset_t alarms;
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	if (!strcmp(way, "select"))
		select(input[0] + 1, &set, NULL, NULL, &tv);
	else if (!strcmp(way, "pselect"))
		pselect(input[0] + 1, &set, NULL, NULL, &ts, NULL);
	else if (!strcmp(way, "poll"))
		poll(&p, 1, tick / 1000000);
	else if (!strcmp(way, "ppoll"))
		ppoll(&p, 1, &ts, NULL);
	else if (!strcmp(way, "epoll")) {
		int fd = epoll_create1(0);
		epoll_ctl(fd, EPOLL_CTL_ADD, input[0], &e);
		epoll_wait(fd, &e, 1, tick / 1000000);
		close(fd);
	} else if (!strcmp(way, "cond")) {
		pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		pthread_condattr_t a;
		pthread_cond_t c;
		pthread_condattr_init(&a);
		pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
		pthread_cond_init(&c, &a);
		clock_gettime(CLOCK_MONOTONIC, &ts);
		ts = span(ts.tv_sec * 1000000000LL + ts.tv_nsec + tick);
		pthread_mutex_lock(&m);
		pthread_cond_timedwait(&c, &m, &ts);
	} else if (!strcmp(way, "sem")) {
		sem_t s;
		sem_init(&s, 0, 0);
		ts = span(date() + tick);
		sem_timedwait(&s, &ts);
	} else if (!strcmp(way, "sigtimedwait"))
		sigtimedwait(&alarms, NULL, &ts);
	else if (!strcmp(way, "sleep"))
		nanosleep(&ts, NULL);
	else if (!strcmp(way, "sleep until")) {
		ts = span(date() + tick);
		clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &ts, NULL);
	} else if (!strcmp(way, "itimer")) {
		signal(SIGALRM, nothing);
		setitimer(ITIMER_REAL, &it, NULL);
		pause();
	} else if (!strcmp(way, "timer")) {
		timer_t t;
		signal(SIGALRM, nothing);
		timer_create(CLOCK_REALTIME, NULL, &t);
		timer_settime(t, 0, &its, NULL);
		pause();
		timer_delete(t);
	} else if (!strncmp(way, "timerfd", 7)) {
		char b[8];
		int monotonic = !strcmp(way, "timerfd monotonic"), until = strcmp(way, "timerfd");
		int fd = timerfd_create(monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, 0);
		if (monotonic) {
			clock_gettime(CLOCK_MONOTONIC, &ts);
			its.it_value = span(ts.tv_sec * 1000000000LL + ts.tv_nsec + tick);
		} else if (until)
			its.it_value = span(date() + tick);
		timerfd_settime(fd, until ? TFD_TIMER_ABSTIME : 0, &its, NULL);
		if (read(fd, b, sizeof b) != sizeof b)
			exit(1);
		close(fd);
	} else
		exit(2);
}

int main(int n, char **args) {
	if (n < 2 || pipe(input))
		return 3;
	for (int i = 1; i < n; i++) {
		long long start = date(), end = start + whole;
		int rounds = 0;
		while (date() < end)
			once(args[i]), rounds++;
		printf("%s %d rounds %lld us\n", args[i], rounds, (date() - start) / 1000);
		fflush(stdout);
	}
	return 0;
}
