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

// New returns a log of JSON lines on the standard output. Its level is AWS_LAMBDA_LOG_LEVEL, or INFO if that is unset
// or unknown. Its metrics are those of the stage in STAGE. env is os.Getenv or a stand-in.
func New(env func(string) string) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(env("AWS_LAMBDA_LOG_LEVEL"))); err != nil {
		level = slog.LevelInfo
	}
	return slog.New(Staged(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: level}), env("STAGE")))
}

// Staged returns a handler whose records carry metrics of a stage of a deployment. Without a stage, as on a laptop, it
// returns handler itself, and records carry no metrics.
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

// StageOf returns the stage whose metrics the log's records carry; empty if they carry none.
func StageOf(log *slog.Logger) string {
	s, _ := log.Handler().(staged)
	return s.stage
}
