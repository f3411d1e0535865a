// Decode the jobs of docs/conformance by golang.org/x/text/encoding, whose htmlindex has the standard's labels.
package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/htmlindex"
)

func main() {
	fmt.Println(runtime.Version())
	jobs, _ := os.ReadFile("jobs.txt")
	for _, line := range strings.Fields(strings.ReplaceAll(string(jobs), "\t", "|")) {
		job := strings.Split(line, "|")
		encoding, err := htmlindex.Get(job[1])
		if err != nil {
			continue // it has no encoding of this name
		}
		inputs, _ := os.ReadFile(job[0] + ".in")
		var texts strings.Builder
		for _, data := range strings.Fields(string(inputs)) {
			source, _ := hex.DecodeString(data)
			text, err := encoding.NewDecoder().Bytes(source)
			if err != nil {
				texts.WriteString("!")
			} else {
				for _, unit := range utf16.Encode([]rune(string(text))) {
					fmt.Fprintf(&texts, "%04x", unit)
				}
			}
			texts.WriteString("\n")
		}
		os.WriteFile(job[0]+"."+job[2]+".out", []byte(texts.String()), 0o644)
	}
}
