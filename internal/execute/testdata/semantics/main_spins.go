// want: violation deadlock

package main

func main() {
	for {
	}
}
