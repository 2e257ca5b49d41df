package web

import (
	"log/slog"

	"earshot/shared/lambdalog"
)

// Logger returns the log of a Lambda. env is os.Getenv or the like.
func Logger(env func(string) string) *slog.Logger { return lambdalog.New(env) }
