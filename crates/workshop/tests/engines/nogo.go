// NoGo over the SAU protocol: the first free point.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

var taken map[string]bool

func answer() {
	for x := 'A'; x <= 'I'; x++ {
		for y := 'A'; y <= 'I'; y++ {
			point := string(x) + string(y)
			if !taken[point] {
				taken[point] = true
				fmt.Println("move", point)
				return
			}
		}
	}
}

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		words := strings.Fields(scanner.Text())
		switch {
		case len(words) == 0:
		case words[0] == "name?":
			fmt.Println("name starter")
		case words[0] == "new":
			taken = map[string]bool{}
			if words[1] == "black" {
				answer()
			}
		case words[0] == "move":
			taken[words[1]] = true
			answer()
		case words[0] == "quit":
			return
		}
	}
}
