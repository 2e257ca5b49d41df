package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"earshot/functions/local/demo"
	"earshot/functions/local/settings"
	"earshot/infra/exit"
	"earshot/infra/propose"
)

// words are the program's commands. Without one it serves.
type words struct {
	Serve   struct{} `cmd:"" default:"1" help:"Serve the API (make run)."`
	Propose struct {
		Domain string `arg:"" help:"A company's domain: acme.com."`
		Tier   string `enum:"balanced,thorough" default:"balanced" help:"How thorough: balanced or thorough."`
		Page   string `type:"existingfile" help:"A file of HTML to take for the domain's page, where there is no network."`
		Apply  bool   `help:"Create what is selected in the demo's workspace northwind."`
		JSON   bool   `name:"json" help:"Print the proposal as the API answers it, on one line; with --apply, what was applied on a second one."`
	} `cmd:"" help:"Propose a configuration for a company, and show how: in the workbench that is running, or in one of its own."`
	Analytics analyticsWord `cmd:"" help:"Show volume, sentiment, platforms, topics and share of voice: of the demo, or of any deployment."`
}

// command runs the command of the arguments.
func command(ctx context.Context, args []string, env func(string) string, stdout, stderr io.Writer) error {
	var chosen words
	left := errors.New("nothing to do")
	parser, err := kong.New(
		&chosen, kong.Name("earshot"), kong.Description("Earshot's workbench: the whole API on this machine."),
		kong.Writers(stdout, stderr), kong.Exit(func(int) { panic(left) }),
	)
	if err != nil {
		return err
	}
	word, err := parse(parser, args, left)
	if err != nil {
		return misused(err, stderr)
	}
	if word == "" {
		return nil
	}
	switch word {
	case "serve":
		return run(ctx, env, stdout, stderr, nil)
	case "analytics":
		return chosen.Analytics.run(ctx, env, stdout, stderr)
	}
	o := propose.Options{
		Domain:   chosen.Propose.Domain,
		Tier:     chosen.Propose.Tier,
		Page:     chosen.Propose.Page,
		Apply:    chosen.Propose.Apply,
		JSON:     chosen.Propose.JSON,
		To:       stdout,
		Progress: stderr,
	}
	o.Width, _ = strconv.Atoi(env("COLUMNS")) // what is no number is not known
	return atWorkbench(ctx, env, stderr, func(d demo.Demo) error {
		o.Base, o.Key, o.Own = d.BaseURL, d.Keys.Write, d.Workspaces["northwind"]
		return propose.Run(ctx, o)
	})
}

// parse returns the chosen command. Empty after --help, which has printed everything.
func parse(parser *kong.Kong, args []string, left error) (word string, err error) {
	defer func() {
		if value := recover(); value != nil && value != left {
			panic(value)
		}
	}()
	parsed, err := parser.Parse(args)
	if err != nil {
		return "", err
	}
	return parsed.Selected().Name, nil
}

// misused prints how the program is used, and returns the error.
func misused(err error, stderr io.Writer) error {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) {
		wrong.Context.Stdout = stderr
		if usage := wrong.Context.PrintUsage(true); usage != nil {
			return usage
		}
		fmt.Fprintln(stderr)
		return exit.Misused("%w", err)
	}
	return err
}

// atWorkbench calls do with the workbench of the data folder: the running one, or one that it starts and ends.
func atWorkbench(ctx context.Context, env func(string) string, stderr io.Writer, do func(demo.Demo) error) error {
	chosen, err := settings.From(env)
	if err != nil {
		return err
	}
	d, err := demo.Read(chosen.Data)
	switch {
	case err == nil && answers(ctx, d):
		return do(d)
	case errors.Is(err, os.ErrNotExist) && !chosen.Demo:
		return errors.New("DEMO=off: there is no key to ask with. Run it without")
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	}
	fmt.Fprintf(stderr, "No workbench is running on %s: one is started for this command.\n", chosen.Data)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ready, ended := make(chan struct{}), make(chan error, 1)
	own := func(name string) string {
		if name == "ADDR" {
			return "127.0.0.1:0"
		}
		return env(name)
	}
	go func() { ended <- run(ctx, own, io.Discard, stderr, func(string) { close(ready) }) }()
	select {
	case err := <-ended:
		return err
	case <-ready:
	}
	if d, err = demo.Read(chosen.Data); err == nil {
		err = do(d)
	}
	stop()
	return errors.Join(err, <-ended)
}

// answers reports whether the workbench of a demo is served at its last address. Another one that has its port by now
// does not know its keys.
func answers(ctx context.Context, d demo.Demo) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.BaseURL+"/api/v2/keywords", nil)
	if err != nil {
		return false
	}
	request.Header.Set("Authorization", "Bearer "+d.Keys.Read)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode != http.StatusUnauthorized && answer.Header.Get("X-Request-Id") != ""
}
