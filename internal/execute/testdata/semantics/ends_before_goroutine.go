// want: verified

package main

func main() {
	go func() {}()
}
