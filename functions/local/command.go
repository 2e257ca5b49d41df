package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"earshot/functions/local/demo"
	"earshot/functions/local/folder"
	"earshot/functions/local/settings"
	"earshot/infra/exit"
	"earshot/infra/operate"
	"earshot/shared/embedded/sqlitefile"
)

// words are the program's commands.
type words struct {
	Serve     serveWord        `cmd:"" help:"Serve the whole API on this machine, with a demo."`
	Search    searchWord       `cmd:"" help:"Look for what people say, without tracking it."`
	Analytics analyticsWord    `cmd:"" help:"Show volume, sentiment, platforms, topics and share of voice."`
	Propose   proposeWord      `cmd:"" help:"Propose a configuration for a company, and show how."`
	Operate   operate.Commands `cmd:"" help:"Make, list, change and end workspaces, agencies and keys."`
	Upgrade   upgradeWord      `cmd:"" help:"Print a link to the page that asks for another plan."`
	Login     loginWord        `cmd:"" help:"Sign in at a deployment, so that commands need no key."`
	Logout    logoutWord       `cmd:"" help:"End the logins at a deployment."`
	MCP       mcpWord          `cmd:"" name:"mcp" help:"Serve the tools of a deployment on standard input and output (MCP)."`
}

// about is the first paragraph of the program's help.
const about = "Earshot listens to what people say about a company. This program serves the whole API on this machine, " +
	"and asks any deployment."

// A program is what the words run with.
type program struct {
	context.Context
	env            func(string) string
	stdout, stderr io.Writer
}

// command runs the command of the arguments. Without one it prints the help.
func command(ctx context.Context, args []string, env func(string) string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		args = []string{"--help"}
	}
	var chosen words
	left, help := errors.New("nothing to do"), &remembering{Writer: stdout}
	parser, err := kong.New(
		&chosen, kong.Name("earshot"), kong.Description(about+"\n\n"+exit.Statuses),
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: strings.HasPrefix(args[0], "-")}), // the words alone
		kong.Writers(help, stderr), kong.Exit(func(int) { panic(left) }),
	)
	if err != nil {
		return err
	}
	parsed, err := parse(parser, args, left)
	switch {
	case help.err != nil:
		return help.err // the parser would call it a mistake on the command line
	case err != nil:
		return misused(err, stderr)
	case parsed == nil:
		return nil
	case strings.HasPrefix(parsed.Command(), "operate "):
		return withRemedy(chosen.Operate.Open(ctx, env, stdout, parsed.Run), env)
	}
	return withRemedy(parsed.Run(&program{ctx, env, stdout, stderr}), env)
}

// withRemedy returns the error of a command. If a disk is full, it says what to do instead of what SQLite says.
func withRemedy(err error, env func(string) string) error {
	if !sqlitefile.Full(err) {
		return err
	}
	chosen, wrong := settings.From(env)
	if wrong != nil {
		return err
	}
	return folder.Full(chosen.Data)
}

// A remembering is a writer that keeps the first error of its Writer.
type remembering struct {
	io.Writer
	err error
}

// Write writes to the Writer.
func (r *remembering) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	r.err = cmp.Or(r.err, err)
	return n, err
}

// parse returns the chosen command. Nil after --help, which has printed everything.
func parse(parser *kong.Kong, args []string, left error) (parsed *kong.Context, err error) {
	defer func() {
		if value := recover(); value != nil {
			if value != left {
				panic(value)
			}
			parsed, err = nil, nil
		}
	}()
	return parser.Parse(args)
}

// serveWord is the word "serve".
type serveWord struct{}

// Help explains the environment.
func (serveWord) Help() string {
	return "The environment has its settings: ADDR=127.0.0.1:8080, the address; DATA=.earshot, the folder of its data; " +
		"DEMO=off, start empty; SOURCES=archive, collect nothing; ANALYTICS_FILES=on, keep a Parquet file of each day; " +
		"AHEAD=90m, begin with a clock that is ahead of the machine's; " +
		"TABLE_ENDPOINT=URL, keep the data on a server that speaks DynamoDB; " +
		"MODEL_URL=URL MODEL=NAME, ask a model of a server on this machine where rules would do."
}

// Run serves until a signal comes.
func (serveWord) Run(p *program) error {
	spendMemory(p.env)
	err := run(p, p.env, p.stdout, p.stderr, nil)
	if errors.Is(err, context.Canceled) {
		return nil // it was asked to stop
	}
	return err
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
func (p *program) atWorkbench(do func(demo.Demo) error) error {
	chosen, err := settings.From(p.env)
	if err != nil {
		return err
	}
	d, err := demo.Read(chosen.Data)
	switch {
	case err == nil && answers(p, d):
		return do(d)
	case errors.Is(err, os.ErrNotExist) && !chosen.Demo:
		return exit.Failing(exit.Key, "DEMO=off: there is no key to ask with. Run it without")
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	}
	fmt.Fprintf(p.stderr, "No workbench is running on %s: one is started for this command.\n", chosen.Data)
	ctx, stop := context.WithCancel(p)
	defer stop()
	ready, ended := make(chan struct{}), make(chan error, 1)
	own := func(name string) string {
		if name == "ADDR" {
			return "127.0.0.1:0"
		}
		return p.env(name)
	}
	go func() { ended <- run(ctx, own, io.Discard, p.stderr, func(string) { close(ready) }) }()
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
