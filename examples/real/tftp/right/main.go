// Two workers fetch the configuration of two switches by TFTP. Each puts it into a file of its own
// first, and moves that to its place.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"

	"github.com/pin/tftp/v3"
)

// fetch gets a file into a folder.
func fetch(c *tftp.Client, dir, name string) error {
	r, err := c.Receive(name, "octet")
	if err != nil {
		return err
	}
	// A file that is there is whole: it is moved to its place at the end.
	part := filepath.Join(dir, name+".part")
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	if _, err := r.WriteTo(f); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(dir, name))
}

func main() {
	dir, err := os.MkdirTemp("", "switches")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c, err := tftp.NewClient("127.0.0.1:69")
	if err != nil {
		log.Fatal(err)
	}
	names := []string{"switch1.cfg", "switch2.cfg"}
	var workers sync.WaitGroup
	for _, name := range names {
		workers.Go(func() {
			if err := fetch(c, dir, name); err != nil {
				log.Fatal(err)
			}
		})
	}
	workers.Wait()
	for i, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			log.Fatal(err)
		}
		if want := fmt.Sprintf("hostname switch%d\n", i+1); !bytes.Equal(data, []byte(want)) {
			log.Panicf("%s is %q", name, data)
		}
	}
}
