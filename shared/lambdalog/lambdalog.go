// Package lambdalog is the log of a Lambda: JSON lines that CloudWatch Logs takes apart by itself.
//
// The kits web and worker, and mains, import it.
package lambdalog

import (
	"log/slog"
	"os"
)

// New is a log of JSON lines on the standard output, from the level that the function's configuration sets
// (AWS_LAMBDA_LOG_LEVEL; INFO when it sets none, or one that there is not). env is os.Getenv or the like.
func New(env func(string) string) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(env("AWS_LAMBDA_LOG_LEVEL"))); err != nil {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: level}))
}
