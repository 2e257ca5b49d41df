// Story plays what clients do against a deployment of Earshot, by HTTP alone, and fails if a response breaks the
// contract. It needs only an address and keys, so it works on a stage on AWS, on the stage of processes and on a
// laptop.
//
//	STORY_URL=… STORY_ADMIN=… STORY_READ=… [STORY_MASTER=…] story play
//	story posts WORD                  # prints a message of the queue posts, with three posts about the word
//	STORY_URL=… STORY_READ=… story found WORD --within 5m
//
// It makes what it needs in the keys' workspace, and deletes it except for the keyword of "posts". Keys are in the
// environment, because a list of processes shows arguments.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// words are those that the program knows.
type words struct {
	Play  struct{} `cmd:"" help:"Play every story, and say which fail."`
	Posts struct {
		Word string `arg:"" help:"What the posts are about, of letters."`
	} `cmd:"" help:"Print a message of the queue posts with three posts."`
	Found struct {
		Word   string        `arg:"" help:"The word of the posts."`
		Within time.Duration `default:"1m" help:"How long to wait."`
	} `cmd:"" help:"Wait until the three posts are mentions, then read one and export all."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "story:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, env func(string) string, stdout, stderr io.Writer) error {
	var chosen words
	parser, err := kong.New(&chosen, kong.Name("story"), kong.Writers(stdout, stderr))
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return err
	}
	if parsed.Selected().Name == "posts" {
		return printPosts(stdout, chosen.Posts.Word, time.Now())
	}
	at, err := newTarget(env)
	if err != nil {
		return err
	}
	if parsed.Selected().Name == "found" {
		return at.found(ctx, chosen.Found.Word, chosen.Found.Within)
	}
	return at.play(ctx, stdout)
}

// newTarget reads the address and the keys. Its error names what is missing.
func newTarget(env func(string) string) (target, error) {
	at := target{url: env("STORY_URL"), admin: env("STORY_ADMIN"), read: env("STORY_READ"), master: env("STORY_MASTER")}
	var faults []error
	for name, value := range map[string]string{"STORY_URL": at.url, "STORY_READ": at.read} {
		if value == "" {
			faults = append(
				faults,
				fmt.Errorf("%s is not set; give the address of the API, or a key of a workspace", name),
			)
		}
	}
	return at, errors.Join(faults...)
}
