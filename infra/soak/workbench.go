package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"time"
)

// A workbench is the soaked program, in its own process.
type workbench struct {
	base    string
	command *exec.Cmd
	ended   chan struct{} // closed when it has
	err     error         // of its end
}

// startTime is how long a start may take on a busy machine.
const startTime = 60 * time.Second

// start starts the program on the folder's data. Its output goes to a file of the folder.
// Its clock is ahead of the machine's.
func start(ctx context.Context, binary, folder, address string, ahead time.Duration) (*workbench, error) {
	said, err := os.OpenFile(filepath.Join(folder, "stderr.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer said.Close() // the process has it
	told := &banner{}
	w := &workbench{command: exec.Command(binary, "serve"), ended: make(chan struct{})}
	w.command.Env = append(
		os.Environ(), "ADDR="+address, "DATA="+dataOf(folder), "TABLE_ENDPOINT=", "DEMO=on", "SOURCES=archive",
		"MODEL_ID=", "MODEL_URL=", "MODEL=", "AHEAD="+ahead.String(),
	)
	w.command.Stdout, w.command.Stderr = told, said
	if err := w.command.Start(); err != nil {
		return nil, fmt.Errorf("the workbench cannot be started: %w", err)
	}
	go func() {
		w.err = w.command.Wait()
		close(w.ended)
	}()
	for began := time.Now(); time.Since(began) < startTime && ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		if w.base = told.address(); w.base != "" {
			return w, nil
		}
		if w.dead() {
			return nil, fmt.Errorf("the workbench ended at its start: %w", w.err)
		}
	}
	w.kill()
	return nil, errors.Join(ctx.Err(), errors.New("the workbench does not listen"))
}

// freeAddress returns an address of this machine that nobody listens on, below the ports that outgoing connections get:
// it stays free between a kill and the next start.
func freeAddress() (string, error) {
	for range 100 {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000)))
		if err == nil {
			return listener.Addr().String(), listener.Close()
		}
	}
	return "", errors.New("no port from 20000 to 29999 is free")
}

// dataOf returns the workbench's data folder.
func dataOf(folder string) string { return filepath.Join(folder, "data") }

// kill ends the process at once, whatever it is doing.
func (w *workbench) kill() {
	_ = w.command.Process.Kill()
	<-w.ended
}

// dead reports whether the process has ended.
func (w *workbench) dead() bool {
	select {
	case <-w.ended:
		return true
	default:
		return false
	}
}

// lastWords returns what a process that died by itself wrote last: some lines from the one that begins with panic or
// fatal.
func lastWords(folder string) string {
	content, err := os.ReadFile(filepath.Join(folder, "stderr.log"))
	if err != nil {
		return err.Error()
	}
	const most = 2 << 10
	at := max(bytes.LastIndex(content, []byte("\npanic: ")), bytes.LastIndex(content, []byte("\nfatal error: ")))
	if at < 0 {
		at = max(len(content)-most, 0)
	}
	return string(content[at:min(at+most, len(content))])
}

// stop asks the process to end, as Ctrl-C does, and waits.
func (w *workbench) stop() error {
	if err := w.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-w.ended:
		return w.err
	case <-time.After(startTime):
		w.kill()
		return errors.New("the workbench does not stop")
	}
}

// A banner is what the program prints at its start.
type banner struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write keeps the first 64 KiB, because nobody reads more.
func (b *banner) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.text.Len() < 64<<10 {
		b.text.Write(text)
	}
	return len(text), nil
}

var listening = regexp.MustCompile(`(?s)^Earshot listens on (http://\S+) .*\n\n.*\n`)

// address returns where the program listens. Empty until it has printed everything.
func (b *banner) address() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if found := listening.FindSubmatch(b.text.Bytes()); found != nil {
		return string(found[1])
	}
	return ""
}
