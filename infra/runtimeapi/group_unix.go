//go:build unix

package runtimeapi

import (
	"os/exec"
	"syscall"
)

// ownGroup has the process start in a process group of its own, so that what it starts can be ended with it.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the process and all of its group that there still is.
func killGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
