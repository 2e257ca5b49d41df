package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"earshot/shared/embedded/outboxmail"
	"earshot/shared/port/clock"
)

// end clears the faults, waits until nothing is under way any more, and holds everything against the ledgers; then it
// ends the process well, starts another one on the same data, and does so again.
func (s *soak) end(ctx context.Context) error {
	if err := s.settle(ctx); err != nil {
		return err
	}
	if err := s.rest(ctx); err != nil {
		return err
	}
	if _, err := s.measure(ctx, 10*time.Second); err != nil {
		return err
	}
	s.faults.forget()
	if err := s.drain(ctx); err != nil {
		return err
	}
	if err := s.closing(ctx); err != nil {
		return err
	}
	if err := s.measureAtEnd(ctx, 5*time.Second); err != nil {
		return err
	}
	s.growth.long = s.growth.idle[len(s.growth.idle)-1]
	s.tell(ctx)
	if err := s.process.stop(); err != nil {
		s.findings.add("the workbench does not end well: %v", err)
	}
	s.life++
	s.api.client.CloseIdleConnections()
	if err := s.start(ctx); err != nil {
		return err
	}
	if err := s.turn(ctx); err != nil {
		return err
	}
	if err := s.closing(ctx); err != nil {
		return err
	}
	if err := s.measureAtEnd(ctx, 5*time.Second); err != nil {
		return err
	}
	s.growth.fresh = s.growth.idle[len(s.growth.idle)-1]
	err := s.process.stop()
	if s.process = nil; err != nil {
		s.findings.add("the workbench does not end well: %v", err)
	}
	for _, fault := range s.growth.judge() {
		s.findings.add("%s", fault)
	}
	if err := s.checkLog(); err != nil {
		return err
	}
	return s.checkMails(ctx)
}

// measureAtEnd takes a sample when nothing is to be done any more.
func (s *soak) measureAtEnd(ctx context.Context, longest time.Duration) error {
	idle, err := s.measure(ctx, longest)
	if err == nil && !idle {
		s.findings.add("functions of queues or schedules still run %s after the last work", longest)
	}
	return err
}

// closing has everybody work once more, waits until all of it is over, and compares the ledgers for the last time.
func (s *soak) closing(ctx context.Context) error {
	s.greetAll(ctx)
	s.askAllOnce(ctx)
	if err := s.drain(ctx); err != nil {
		return err
	}
	s.checkAll(ctx, true)
	return nil
}

// rest leaves the process idle for a moment, in which its log must not grow.
func (s *soak) rest(ctx context.Context) error {
	const quiet = time.Second
	before, err := s.logSizes()
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(quiet):
	}
	written := ""
	for i, path := range s.logs() {
		part, err := from(path, before[i])
		if err != nil {
			return err
		}
		written += part
	}
	if most := logAtRest * int(quiet/time.Second) * 4; len(written) > most {
		s.findings.add(
			"the log grows by %d bytes in %s in which nobody asks anything, more than %d: %s",
			len(written), quiet, most, written[:min(len(written), 4_000)],
		)
	}
	return nil
}

// from returns what a file has behind an offset.
func from(path string, offset int64) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	part, err := io.ReadAll(io.NewSectionReader(file, offset, 1<<20))
	return string(part), err
}

// logs are the files that the workbench writes: its log and its output.
func (s *soak) logs() []string {
	return []string{filepath.Join(dataOf(s.folder), "earshot.log"), filepath.Join(s.folder, "stderr.log")}
}

// logSizes returns the bytes of each of the logs.
func (s *soak) logSizes() (sizes []int64, err error) {
	for _, path := range s.logs() {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, info.Size())
	}
	return sizes, nil
}

// logSize returns how much the workbench has written.
func (s *soak) logSize() (bytes int64, err error) {
	sizes, err := s.logSizes()
	for _, size := range sizes {
		bytes += size
	}
	return bytes, err
}

func (s *soak) checkLog() (err error) {
	if s.logAt, err = s.logSize(); err != nil {
		return err
	}
	faults := 0
	for _, fired := range s.faults.counted() {
		faults += fired
	}
	for _, fault := range judgeLog(s.logAt, s.requests(), faults) {
		s.findings.add("%s", fault)
	}
	return nil
}

// leases is longer than whatever a process that died may have held: messages with their functions, runs and claims. It
// is also the way into the next hour of the clock, in which every workspace may be asked anew.
const leases = 70 * time.Minute

// turn puts the workbench's clock past the leases.
func (s *soak) turn(ctx context.Context) error {
	s.api.turn(leases)
	return s.api.local(ctx, "POST", "/clock", object{"now": s.api.now().Format(time.RFC3339Nano)}, nil)
}

// drainTime is how long background work may take, once nothing fails any more.
const drainTime = 60 * time.Second

// restTime is how long the schedules are run at least.
const restTime = time.Second

// drain turns the clock past the leases of those who died, sends dead letters again, runs the schedules, and waits
// until no queue holds anything and no client has anything under way.
func (s *soak) drain(ctx context.Context) error {
	if err := s.turn(ctx); err != nil {
		return err
	}
	type depth struct {
		Queue                            string
		Waiting, Delayed, InFlight, Dead int
	}
	var depths struct{ Queues []depth }
	for _, c := range s.clients {
		c.look, c.pause = time.Time{}, shortestPause
	}
	for began := time.Now(); ; time.Sleep(250 * time.Millisecond) {
		for _, schedule := range []string{"sweep", "invitecleanup", "purge", "archive", "deliveries"} {
			if err := s.api.local(ctx, "POST", "/schedules/"+schedule, nil, nil); err != nil {
				return fmt.Errorf("without a fault: %w", err)
			}
		}
		if err := s.api.local(ctx, "GET", "/queues", nil, &depths); err != nil {
			return err
		}
		left := 0
		for _, d := range depths.Queues {
			left += d.Waiting + d.InFlight + d.Dead
			if d.Queue != "deliveries" { // whose delayed messages only hurry: clients ask the log what is to be sent
				left += d.Delayed
			}
			if d.Dead > 0 {
				s.redriven += d.Dead
				if err := s.api.local(ctx, "POST", "/queues/"+d.Queue+"/redrive", nil, nil); err != nil {
					return err
				}
			}
		}
		over := left == 0
		for _, c := range s.clients {
			over = c.isOver(ctx, false) && over
		}
		// What a client saw may be older than what the schedules sent.
		if over = over && time.Since(began) >= restTime; over {
			for _, c := range s.clients {
				over = c.isOver(ctx, true) && over
			}
		}
		if over {
			s.atEnd = fmt.Sprintf(
				"all queues empty and nothing under way after %s, %d dead letters sent again",
				time.Since(began).Round(time.Second), s.redriven,
			)
			return nil
		}
		if time.Since(began) > drainTime {
			s.findings.add("%s after the last fault not everything is over: %+v", drainTime, depths.Queues)
			for _, c := range s.clients {
				if c.waits != "" {
					c.found("there waits:%s", c.waits)
				}
			}
			return nil
		}
	}
}

// checkMails reads the outbox, which no process has open any more: no person got two invitation mails.
func (s *soak) checkMails(ctx context.Context) (err error) {
	outbox, err := outboxmail.Open(filepath.Join(dataOf(s.folder), "mail.db"), clock.System{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, outbox.Close()) }()
	const all = 1 << 30
	mails, err := outbox.List(ctx, all)
	if err != nil {
		return err
	}
	sent := map[string]int{}
	for _, mail := range mails {
		if !strings.HasPrefix(mail.Subject, "The webhook of ") { // admins are told when one is disabled
			sent[mail.To]++
		}
	}
	for _, c := range s.clients {
		for address, wanted := range c.mails {
			if got := sent[address]; got < wanted.least || got > wanted.most {
				s.findings.add(
					"%s has had %d mails, and at least %d and at most %d were to be", address, got, wanted.least,
					wanted.most,
				)
			}
		}
	}
	return nil
}
