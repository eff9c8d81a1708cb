// Fib computes Fibonacci numbers by plain recursion: calls and integers.
package main

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() { println(fib(30)) }
