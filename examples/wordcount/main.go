// Wordcount counts the words of a text, prints the count as JSON and reads it
// back.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sort"
	"strings"
	"unicode"
)

const text = `
The heddle lifts the threads, the shuttle passes under the threads,
the reed beats the weft against the cloth; and the heddle lifts again.
`

// A Count says how often a word occurs.
type Count struct {
	Word  string  `json:"word"`
	Times int     `json:"times"`
	Share float64 `json:"share,omitempty"`
}

// count returns the words of a text, the most frequent first.
func count(text string) []Count {
	times := make(map[string]int)
	total := 0
	words := bufio.NewScanner(strings.NewReader(text))
	words.Split(bufio.ScanWords)
	for words.Scan() {
		word := strings.ToLower(strings.TrimFunc(words.Text(), unicode.IsPunct))
		times[word]++
		total++
	}
	var counts []Count
	for word, n := range times {
		counts = append(counts, Count{word, n, float64(n) / float64(total)})
	}
	sort.Slice(counts, func(i, j int) bool {
		if counts[i].Times != counts[j].Times {
			return counts[i].Times > counts[j].Times
		}
		return counts[i].Word < counts[j].Word
	})
	return counts
}

func main() {
	log.SetFlags(0)
	data, err := json.MarshalIndent(count(text)[:5], "", "  ")
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(append(data, '\n'))

	var back []Count
	if err := json.Unmarshal(data, &back); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q is %.0f%% of the words\n", back[0].Word, 100*back[0].Share)

	err = json.Unmarshal([]byte(`{"word": 1}`), &back[0])
	fmt.Println("error:", err)
}
