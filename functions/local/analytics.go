package main

import (
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"earshot/functions/local/demo"
	"earshot/infra/chart"
	"earshot/infra/client"
	"earshot/infra/exit"
)

// analyticsWord holds the flags of the word "analytics".
type analyticsWord struct {
	Start       string  `help:"The first day, or moment, that counts: 2026-11-01. Default: 30 days before the end."`
	End         string  `help:"The first day, or moment, that no longer counts. Default: the end of today."`
	Timezone    string  `help:"The time zone of days, by its IANA name: Europe/Berlin. Default: UTC."`
	Granularity string  `enum:"hour,day,week,month,usual" default:"usual" help:"The length of a bucket: hour, day, week or month. Default: day; for share of voice, week."`
	Keyword     several `help:"Count mentions of this keyword, by its id or its text. Repeatable."`
	Source      several `help:"Count mentions from this platform: reddit. Repeatable."`
	Tag         several `help:"Count mentions with this topic: pricing; none for those without one. Repeatable."`
	Sentiment   several `help:"Count mentions with this tone: positive, neutral, negative or unknown. Repeatable."`
	Relevance   several `help:"Count mentions with this score: 0, 1, 2 or none. Repeatable. Default: 0 and 1."`
	JSON        bool    `name:"json" help:"Print the API's answers in one document, on one line."`
	ASCII       bool    `name:"ascii" help:"Draw in ASCII. Implied if LC_ALL, LC_CTYPE or LANG names another character set than UTF-8."`

	target
}

// Help explains the exit statuses and the environment.
func (analyticsWord) Help() string {
	return exit.Statuses + " COLUMNS gives the width of a line, and NO_COLOR takes the colours away."
}

// Run shows figures of a deployment. Without a base URL they are those of the workbench of the data folder, which is
// started if it does not run.
func (a analyticsWord) Run(p *program) error {
	o := chart.Options{
		Start:      a.Start,
		End:        a.End,
		Timezone:   a.Timezone,
		Keywords:   a.Keyword,
		Sources:    a.Source,
		Tags:       a.Tag,
		Sentiments: a.Sentiment,
		Relevance:  a.Relevance,
		JSON:       a.JSON,
		Style:      styleOf(p.env, p.stdout, a.ASCII),
		To:         p.stdout,
	}
	if a.Granularity != "usual" {
		o.Granularity = a.Granularity
	}
	own := func(keys demo.Keys) string { return keys.Read }
	return a.with(p, true, own, func(at client.Target, _ *demo.Demo) error {
		o.Target = at
		return chart.Run(p, o)
	})
}

func either(given, otherwise string) string {
	if given != "" {
		return given
	}
	return otherwise
}

// styleOf returns what the terminal can do, by its size, its character set and the person's wishes.
func styleOf(env func(string) string, stdout io.Writer, ascii bool) chart.Style {
	style := chart.Style{ASCII: ascii || !utf8Locale(env)}
	style.Columns, _ = strconv.Atoi(env("COLUMNS")) // what is no number is not known
	file, ok := stdout.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return style
	}
	style.Color = env("NO_COLOR") == "" && env("TERM") != "dumb"
	if columns, _, err := term.GetSize(int(file.Fd())); err == nil && style.Columns <= 0 {
		style.Columns = columns
	}
	return style
}

// utf8Locale reports whether the locale's character set is UTF-8. Without a locale it is taken for granted.
func utf8Locale(env func(string) string) bool {
	locale := either(env("LC_ALL"), either(env("LC_CTYPE"), env("LANG")))
	set := strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	return locale == "" || strings.Contains(set, "utf8")
}
