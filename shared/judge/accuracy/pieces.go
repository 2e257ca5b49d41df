package main

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// A half is one of two parts of the data. What is tuned looks at dev alone.
type half string

const (
	dev  half = "dev"
	test half = "test"
)

// halfOf puts a text into a half, by its hash.
func halfOf(text string) half {
	if number("half", text)%2 == 0 {
		return dev
	}
	return test
}

// number is a number that a text gives for a purpose: the same in every run.
func number(purpose, text string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(purpose + "\x00" + text)) // it never fails
	return int(h.Sum32() >> 4)
}

// short are the languages of the short pieces, which most datasets of tweets have.
var short = []string{"ar", "de", "en", "es", "fr", "hi", "it", "pt"}

// tags, handles and hosts decorate short pieces as people do. Most are English, whatever the language is.
var (
	tags    = strings.Fields("#news #love #MondayMotivation #AI #startup #win #Bitcoin #music #tbt #job #travel #Apple")
	handles = strings.Fields("@sarah_lee88 @TheDailyPost @mike @dev_tom @user @RealMadrid @coffeeshop @anna.k")
	hosts   = strings.Fields("https://t.co/Xk29aPq http://bit.ly/2xYz https://www.example.com/the/best/news http")
	signs   = strings.Fields("😂 🔥 ❤️ 😭😭 🙏 👍🏽 🎉")
)

// pieces cuts a sentence into short pieces of three to eight words and decorates them like tweets, each in one of six
// ways. Scripts that write without blanks give one piece.
func pieces(sentence string) (out []string) {
	const least, most = 3, 8
	words := strings.Fields(sentence)
	for len(words) > 0 {
		n := min(least+number("size", strings.Join(words, " "))%(most-least+1), len(words))
		if len(words)-n < least {
			n = len(words)
		}
		out = append(out, decorated(strings.Join(words[:n], " ")))
		words = words[n:]
	}
	return out
}

func decorated(piece string) string {
	one := func(of []string, purpose string) string { return of[number(purpose, piece)%len(of)] }
	switch number("way", piece) % 6 {
	case 0:
		return piece
	case 1:
		return one(handles, "handle") + " " + piece
	case 2:
		return piece + " " + one(tags, "tag") + " " + one(tags, "second tag")
	case 3:
		return fmt.Sprintf("RT %s: %s %s", one(handles, "handle"), piece, one(hosts, "host"))
	case 4:
		return piece + " " + one(signs, "sign") + " " + one(hosts, "host")
	}
	return one(handles, "handle") + " " + piece + " " + one(tags, "tag") + " " + one(hosts, "host")
}

// shortPieces are the decorated pieces of a half of the sentences in the languages of short.
func shortPieces(sentences []labelled, of half) (out []labelled) {
	for _, s := range sentences {
		if !slices.Contains(short, s.class) || halfOf(s.text) != of {
			continue
		}
		for _, piece := range pieces(s.text) {
			out = append(out, labelled{piece, s.class})
		}
	}
	return out
}
