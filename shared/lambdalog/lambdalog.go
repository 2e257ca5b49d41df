// Package lambdalog writes the log of a Lambda: JSON lines that CloudWatch Logs parses, and the metrics that CloudWatch
// extracts from them. It also reads an invocation's place in a trace of AWS X-Ray, which records name and adapters pass
// on to the services that call the next function. Outside a Lambda there is no trace.
//
// The kits web and worker, adapters and mains import it. infra imports it for the names of the metrics.
package lambdalog

import (
	"log/slog"
	"os"
)

// New is a log of JSON lines on the standard output, from the level that the function's configuration sets
// (AWS_LAMBDA_LOG_LEVEL; INFO when it sets none, or one that there is not). The stage that STAGE names is that of its metrics. env is
// os.Getenv or the like.
func New(env func(string) string) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(env("AWS_LAMBDA_LOG_LEVEL"))); err != nil {
		level = slog.LevelInfo
	}
	return slog.New(Staged(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: level}), env("STAGE")))
}

// Staged is a handler of JSON lines that are read in a stage of a deployment, where records carry metrics. Without a stage, as on a
// laptop, it is the handler itself, and records carry none.
func Staged(handler slog.Handler, stage string) slog.Handler {
	if stage == "" {
		return handler
	}
	return staged{handler, stage}
}

type staged struct {
	slog.Handler
	stage string
}

// WithAttrs keeps the stage.
func (s staged) WithAttrs(attrs []slog.Attr) slog.Handler {
	return staged{s.Handler.WithAttrs(attrs), s.stage}
}

// StageOf names the stage whose metrics the log's records carry. Empty: they carry none.
func StageOf(log *slog.Logger) string {
	s, _ := log.Handler().(staged)
	return s.stage
}
