package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
)

// logName is the file of the data folder that has a record of every request.
const logName = "earshot.log"

// openLog opens the log. Everything goes as JSON to the end of the file, and failures go to stderr too. Records to
// quiet go to the file alone.
func openLog(data string, stderr io.Writer) (log, quiet *slog.Logger, closed func() error, err error) {
	file, err := os.OpenFile(filepath.Join(data, logName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the log cannot be written: %w", err)
	}
	inFile := slog.NewJSONHandler(file, nil)
	log = slog.New(
		slog.NewMultiHandler(inFile, slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	)
	return log, slog.New(inFile), file.Close, nil
}
